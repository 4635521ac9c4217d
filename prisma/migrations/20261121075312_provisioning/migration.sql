-- AlterTable
ALTER TABLE "provisioner_jobs" ADD COLUMN     "dry_run_of_id" UUID,
ADD COLUMN     "logs_received" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "sealed_input" BYTEA;

-- AlterTable
ALTER TABLE "provisioner_daemons" ADD COLUMN     "draining_at" TIMESTAMPTZ(6),
ADD COLUMN     "slots" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "template_version_variables" ADD COLUMN     "sealed_value" BYTEA;

-- AlterTable
ALTER TABLE "template_versions" ADD COLUMN     "external_auth_providers" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "workspace_tags" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "quiet_hours_schedule" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "workspace_agents" ADD COLUMN     "logs_received" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "logs_session_id" UUID;

-- AlterTable
ALTER TABLE "workspace_builds" ADD COLUMN     "deadline_rule" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "autostart_since" TIMESTAMPTZ(6),
ADD COLUMN     "owner_sort" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "schedule_problem" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "schedule_tried_at" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "template_usage_buckets" (
    "start_time" TIMESTAMPTZ(6) NOT NULL,
    "template_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "app" TEXT NOT NULL DEFAULT '',
    "minutes" SMALLINT NOT NULL DEFAULT 1,
    "last_minute" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "template_usage_buckets_pkey" PRIMARY KEY ("start_time","template_id","user_id","app")
);

-- CreateTable
CREATE TABLE "workspace_port_shares" (
    "workspace_id" UUID NOT NULL,
    "agent_name" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "share_level" TEXT NOT NULL,
    "protocol" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_port_shares_pkey" PRIMARY KEY ("workspace_id","agent_name","port")
);

-- CreateIndex
CREATE INDEX "template_usage_buckets_template_id_start_time_idx" ON "template_usage_buckets"("template_id", "start_time");

-- CreateIndex
CREATE INDEX "provisioner_jobs_worker_id_completed_at_idx" ON "provisioner_jobs"("worker_id", "completed_at");

-- CreateIndex
CREATE INDEX "provisioner_jobs_dry_run_of_id_idx" ON "provisioner_jobs"("dry_run_of_id");

-- CreateIndex
CREATE INDEX "workspace_builds_deadline_idx" ON "workspace_builds"("deadline");

-- CreateIndex
CREATE INDEX "workspaces_deleting_at_idx" ON "workspaces"("deleting_at");

-- AddForeignKey
ALTER TABLE "provisioner_jobs" ADD CONSTRAINT "provisioner_jobs_dry_run_of_id_fkey" FOREIGN KEY ("dry_run_of_id") REFERENCES "template_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_port_shares" ADD CONSTRAINT "workspace_port_shares_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows Prisma's schema language cannot say. Closed sets mirror packages/domain/src/enums.ts.

-- Until now every deadline came from a time to live.
UPDATE "workspace_builds" SET "deadline_rule" = 'ttl' WHERE "deadline" IS NOT NULL;
ALTER TABLE "workspace_builds"
  ADD CONSTRAINT "workspace_builds_deadline_rule_check" CHECK ("deadline_rule" IN
    ('', 'ttl', 'template_ttl', 'autostop_requirement', 'autostart', 'extended', 'activity'));
ALTER TABLE "provisioner_jobs"
  ADD CONSTRAINT "provisioner_jobs_dry_run_check" CHECK (("kind" = 'template_version_dry_run') = ("dry_run_of_id" IS NOT NULL));
ALTER TABLE "template_version_variables"
  ADD CONSTRAINT "template_version_variables_sealed_check" CHECK ("sealed_value" IS NULL OR "value" = '');
ALTER TABLE "template_usage_buckets"
  ADD CONSTRAINT "template_usage_buckets_minutes_check" CHECK ("minutes" BETWEEN 1 AND 30);
ALTER TABLE "workspace_port_shares"
  ADD CONSTRAINT "workspace_port_shares_port_check" CHECK ("port" BETWEEN 9 AND 65535),
  ADD CONSTRAINT "workspace_port_shares_level_check" CHECK ("share_level" IN ('authenticated', 'public')),
  ADD CONSTRAINT "workspace_port_shares_protocol_check" CHECK ("protocol" IN ('http', 'https'));

-- What the loop of the schedules looks for, each with the workspaces that it concerns and no others.
CREATE INDEX "workspaces_running_idx" ON "workspaces" ("id") WHERE "is_running" AND NOT "deleted";
CREATE INDEX "workspaces_autostart_idx" ON "workspaces" ("id") WHERE "autostart_schedule" IS NOT NULL AND NOT "is_running" AND NOT "deleted";
CREATE INDEX "workspaces_awake_idx" ON "workspaces" ("template_id", "last_used_at") WHERE "dormant_at" IS NULL AND NOT "deleted";
CREATE INDEX "workspaces_dormant_idx" ON "workspaces" ("id") WHERE "dormant_at" IS NOT NULL AND NOT "deleted";

-- The list of workspaces is by what runs, owner and name: with the owner's name beside it, one index serves the order.
UPDATE "workspaces" w SET "owner_sort" = lower(o."username") FROM "users" o WHERE o."id" = w."owner_id";
CREATE FUNCTION "workspaces_owner_sort"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Shared, so that a change of the name at the same time waits and then finds this row, or this row waits and has the new name.
  SELECT lower(o."username") INTO NEW."owner_sort" FROM "users" o WHERE o."id" = NEW."owner_id" FOR SHARE;
  NEW."owner_sort" := COALESCE(NEW."owner_sort", '');
  RETURN NEW;
END $$;
CREATE TRIGGER "workspaces_owner_sort" BEFORE INSERT OR UPDATE OF "owner_id" ON "workspaces"
  FOR EACH ROW EXECUTE FUNCTION "workspaces_owner_sort"();
CREATE FUNCTION "users_owner_sort"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "workspaces" SET "owner_sort" = lower(NEW."username") WHERE "owner_id" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "users_owner_sort" AFTER UPDATE OF "username" ON "users"
  FOR EACH ROW WHEN (lower(OLD."username") <> lower(NEW."username")) EXECUTE FUNCTION "users_owner_sort"();
CREATE INDEX "workspaces_listed_idx" ON "workspaces" ("is_running" DESC, "owner_sort", lower("name"), "id")
  WHERE NOT "deleted" AND "latest_build_id" IS NOT NULL;

-- Values of variables may be secrets; from now on they are stored sealed.
UPDATE "provisioner_jobs" SET "input" = "input" - 'user_variable_values' WHERE "input" ? 'user_variable_values';
