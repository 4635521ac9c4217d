-- AlterTable
ALTER TABLE "provisioner_jobs" ADD COLUMN     "request_agent" TEXT NOT NULL DEFAULT '';
