-- DropIndex
DROP INDEX "template_usage_buckets_template_id_start_time_idx";

-- DropIndex
DROP INDEX "workspace_builds_template_version_id_idx";

-- CreateIndex
CREATE INDEX "template_usage_buckets_template_id_start_time_user_id_idx" ON "template_usage_buckets"("template_id", "start_time", "user_id");

-- CreateIndex
CREATE INDEX "workspace_builds_template_version_id_transition_created_at_idx" ON "workspace_builds"("template_version_id", "transition", "created_at" DESC);
