-- CreateTable
CREATE TABLE "saved_searches" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_searches_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_searches_user_id_page_name_key" ON "saved_searches"("user_id", "page", "name");

-- AddForeignKey
ALTER TABLE "saved_searches" ADD CONSTRAINT "saved_searches_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "saved_searches" ADD CONSTRAINT "saved_searches_page_check" CHECK ("page" IN ('workspaces', 'audit'));

-- AlterTable
ALTER TABLE "workspace_agents" ADD COLUMN     "latency_ms" REAL;

-- CreateIndex
CREATE INDEX "workspace_builds_created_at_idx" ON "workspace_builds"("created_at");

-- CreateTable
CREATE TABLE "template_latency_buckets" (
    "start_time" TIMESTAMPTZ(6) NOT NULL,
    "template_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "latencies" REAL[],

    CONSTRAINT "template_latency_buckets_pkey" PRIMARY KEY ("start_time","template_id","user_id")
);

-- CreateIndex
CREATE INDEX "template_latency_buckets_template_id_start_time_idx" ON "template_latency_buckets"("template_id", "start_time");

-- CreateIndex
CREATE INDEX "audit_logs_request_id_idx" ON "audit_logs"("request_id");

-- CreateTable
CREATE TABLE "audit_verifications" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ok" BOOLEAN NOT NULL,
    "rows" BIGINT NOT NULL,
    "head" TEXT NOT NULL DEFAULT '',
    "explanation" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "audit_verifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_verifications_at_idx" ON "audit_verifications"("at" DESC);

-- AlterTable
ALTER TABLE "replicas" ADD COLUMN     "traffic" JSONB NOT NULL DEFAULT '{}';
