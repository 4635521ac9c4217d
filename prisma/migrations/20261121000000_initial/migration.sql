-- CreateTable
CREATE TABLE "audit_logs" (
    "id" UUID NOT NULL,
    "time" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "organization_id" UUID,
    "user_id" UUID,
    "ip" TEXT NOT NULL DEFAULT '',
    "user_agent" TEXT NOT NULL DEFAULT '',
    "request_id" UUID NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,
    "resource_target" TEXT NOT NULL DEFAULT '',
    "resource_icon" TEXT NOT NULL DEFAULT '',
    "action" TEXT NOT NULL,
    "diff" JSONB NOT NULL DEFAULT '{}',
    "status_code" INTEGER NOT NULL,
    "additional_fields" JSONB NOT NULL DEFAULT '{}',
    "build_reason" TEXT,

    CONSTRAINT "audit_logs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_pending" (
    "transaction_id" BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
    "sequence" BIGSERIAL NOT NULL,
    "audit_log_id" UUID NOT NULL,

    CONSTRAINT "audit_pending_pkey" PRIMARY KEY ("transaction_id","sequence")
);

-- CreateTable
CREATE TABLE "audit_chain_links" (
    "position" BIGINT NOT NULL,
    "audit_log_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "sealed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_chain_links_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "audit_counts" (
    "facet" SMALLINT NOT NULL,
    "user_id" UUID NOT NULL,
    "resource_type" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "build_reason" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "audit_counts_pkey" PRIMARY KEY ("facet","user_id","resource_type","action","build_reason","organization_id","day")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "username" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "avatar_url" TEXT NOT NULL DEFAULT '',
    "password_hash" TEXT,
    "login_type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "theme_preference" TEXT NOT NULL DEFAULT '',
    "site_roles" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" CHAR(10) NOT NULL,
    "user_id" UUID NOT NULL,
    "hashed_secret" BYTEA NOT NULL,
    "login_type" TEXT NOT NULL,
    "scope" TEXT NOT NULL DEFAULT 'all',
    "token_name" TEXT NOT NULL DEFAULT '',
    "lifetime_seconds" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "absolute_expires_at" TIMESTAMPTZ(6) NOT NULL,
    "last_used_at" TIMESTAMPTZ(6),
    "last_used_ip" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "icon" TEXT NOT NULL DEFAULT '',
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_members" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "roles" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_members_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "groups" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "avatar_url" TEXT NOT NULL DEFAULT '',
    "quota_allowance" INTEGER NOT NULL DEFAULT 0,
    "source" TEXT NOT NULL DEFAULT 'user',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_members" (
    "group_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("group_id","user_id")
);

-- CreateTable
CREATE TABLE "provisioner_daemons" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "key_id" UUID,
    "name" TEXT NOT NULL,
    "session_id" UUID NOT NULL,
    "version" TEXT NOT NULL DEFAULT '',
    "api_version" TEXT NOT NULL DEFAULT '',
    "provisioners" TEXT[],
    "tags" JSONB NOT NULL DEFAULT '{}',
    "sandbox" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6),

    CONSTRAINT "provisioner_daemons_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provisioner_keys" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hashed_secret" BYTEA NOT NULL,
    "tags" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provisioner_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provisioner_jobs" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "initiator_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "provisioner" TEXT NOT NULL,
    "file_id" UUID NOT NULL,
    "input" JSONB NOT NULL DEFAULT '{}',
    "tags" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(6),
    "completed_at" TIMESTAMPTZ(6),
    "canceled_at" TIMESTAMPTZ(6),
    "error" TEXT NOT NULL DEFAULT '',
    "error_code" TEXT NOT NULL DEFAULT '',
    "worker_id" UUID,
    "lease_token" UUID,
    "lease_expires_at" TIMESTAMPTZ(6),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "request_id" UUID NOT NULL,
    "request_ip" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "provisioner_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provisioner_job_logs" (
    "id" BIGSERIAL NOT NULL,
    "job_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "source" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "output" TEXT NOT NULL,

    CONSTRAINT "provisioner_job_logs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provisioner_job_timings" (
    "id" BIGSERIAL NOT NULL,
    "job_id" UUID NOT NULL,
    "stage" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "provisioner_job_timings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site_settings" (
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "site_settings_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "workspace_proxies" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "icon" TEXT NOT NULL DEFAULT '',
    "url" TEXT NOT NULL DEFAULT '',
    "wildcard_hostname" TEXT NOT NULL DEFAULT '',
    "hashed_secret" BYTEA NOT NULL,
    "derp_enabled" BOOLEAN NOT NULL DEFAULT true,
    "derp_only" BOOLEAN NOT NULL DEFAULT false,
    "version" TEXT NOT NULL DEFAULT '',
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" TEXT NOT NULL DEFAULT 'unregistered',
    "checked_at" TIMESTAMPTZ(6),
    "report_errors" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "report_warnings" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "workspace_proxies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth2_provider_apps" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "icon" TEXT NOT NULL DEFAULT '',
    "callback_url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth2_provider_apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth2_provider_app_secrets" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "prefix" TEXT NOT NULL,
    "hashed_secret" BYTEA NOT NULL,
    "display" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),

    CONSTRAINT "oauth2_provider_app_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_by_id" UUID NOT NULL,
    "mime_type" TEXT NOT NULL,
    "data" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "templates" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL DEFAULT '',
    "icon" TEXT NOT NULL DEFAULT '',
    "provisioner" TEXT NOT NULL,
    "active_version_id" UUID NOT NULL,
    "created_by_id" UUID NOT NULL,
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "deprecation_message" TEXT NOT NULL DEFAULT '',
    "default_ttl_ms" BIGINT NOT NULL DEFAULT 0,
    "activity_bump_ms" BIGINT NOT NULL DEFAULT 3600000,
    "failure_ttl_ms" BIGINT NOT NULL DEFAULT 0,
    "time_til_dormant_ms" BIGINT NOT NULL DEFAULT 0,
    "time_til_dormant_autodelete_ms" BIGINT NOT NULL DEFAULT 0,
    "autostart_days_of_week" INTEGER NOT NULL DEFAULT 127,
    "autostop_days_of_week" INTEGER NOT NULL DEFAULT 0,
    "autostop_weeks" INTEGER NOT NULL DEFAULT 1,
    "allow_user_autostart" BOOLEAN NOT NULL DEFAULT true,
    "allow_user_autostop" BOOLEAN NOT NULL DEFAULT true,
    "allow_user_cancel_workspace_jobs" BOOLEAN NOT NULL DEFAULT false,
    "require_active_version" BOOLEAN NOT NULL DEFAULT false,
    "max_port_share_level" TEXT NOT NULL DEFAULT 'owner',
    "user_acl" JSONB NOT NULL DEFAULT '{}',
    "group_acl" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "template_versions" (
    "id" UUID NOT NULL,
    "template_id" UUID,
    "organization_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "message" TEXT NOT NULL DEFAULT '',
    "readme" TEXT NOT NULL DEFAULT '',
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "template_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "template_version_parameters" (
    "template_version_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL DEFAULT '',
    "description_plaintext" TEXT NOT NULL DEFAULT '',
    "type" TEXT NOT NULL,
    "default_value" TEXT NOT NULL DEFAULT '',
    "required" BOOLEAN NOT NULL DEFAULT false,
    "mutable" BOOLEAN NOT NULL DEFAULT true,
    "ephemeral" BOOLEAN NOT NULL DEFAULT false,
    "icon" TEXT NOT NULL DEFAULT '',
    "options" JSONB NOT NULL DEFAULT '[]',
    "validation_regex" TEXT NOT NULL DEFAULT '',
    "validation_error" TEXT NOT NULL DEFAULT '',
    "validation_min" INTEGER,
    "validation_max" INTEGER,
    "validation_monotonic" TEXT NOT NULL DEFAULT '',
    "condition" JSONB,
    "display_order" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "template_version_parameters_pkey" PRIMARY KEY ("template_version_id","name")
);

-- CreateTable
CREATE TABLE "template_version_variables" (
    "template_version_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "type" TEXT NOT NULL,
    "value" TEXT NOT NULL DEFAULT '',
    "default_value" TEXT NOT NULL DEFAULT '',
    "required" BOOLEAN NOT NULL DEFAULT false,
    "sensitive" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "template_version_variables_pkey" PRIMARY KEY ("template_version_id","name")
);

-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "autostart_schedule" TEXT,
    "ttl_ms" BIGINT,
    "automatic_updates" TEXT NOT NULL DEFAULT 'never',
    "favorite" BOOLEAN NOT NULL DEFAULT false,
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "dormant_at" TIMESTAMPTZ(6),
    "deleting_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "latest_build_id" UUID,
    "is_running" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_builds" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "build_number" INTEGER NOT NULL,
    "transition" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT 'initiator',
    "template_version_id" UUID NOT NULL,
    "initiator_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "provisioner_state" BYTEA NOT NULL DEFAULT '\x',
    "daily_cost" INTEGER NOT NULL DEFAULT 0,
    "deadline" TIMESTAMPTZ(6),
    "max_deadline" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_builds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_build_parameters" (
    "build_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "workspace_build_parameters_pkey" PRIMARY KEY ("build_id","name")
);

-- CreateTable
CREATE TABLE "workspace_resources" (
    "id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "transition" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "icon" TEXT NOT NULL DEFAULT '',
    "hide" BOOLEAN NOT NULL DEFAULT false,
    "daily_cost" INTEGER NOT NULL DEFAULT 0,
    "metadata" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_resources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_agents" (
    "id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hashed_token" BYTEA,
    "instance_id" TEXT NOT NULL DEFAULT '',
    "architecture" TEXT NOT NULL DEFAULT '',
    "operating_system" TEXT NOT NULL DEFAULT '',
    "directory" TEXT NOT NULL DEFAULT '',
    "expanded_directory" TEXT NOT NULL DEFAULT '',
    "environment_variables" JSONB NOT NULL DEFAULT '{}',
    "connection_timeout_seconds" INTEGER NOT NULL DEFAULT 120,
    "troubleshooting_url" TEXT NOT NULL DEFAULT '',
    "motd_file" TEXT NOT NULL DEFAULT '',
    "display_apps" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "subsystems" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "version" TEXT NOT NULL DEFAULT '',
    "api_version" TEXT NOT NULL DEFAULT '',
    "lifecycle_state" TEXT NOT NULL DEFAULT 'created',
    "started_at" TIMESTAMPTZ(6),
    "ready_at" TIMESTAMPTZ(6),
    "first_connected_at" TIMESTAMPTZ(6),
    "last_connected_at" TIMESTAMPTZ(6),
    "disconnected_at" TIMESTAMPTZ(6),
    "replica_id" UUID,
    "logs_length" INTEGER NOT NULL DEFAULT 0,
    "logs_overflowed" BOOLEAN NOT NULL DEFAULT false,
    "display_order" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_apps" (
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "icon" TEXT NOT NULL DEFAULT '',
    "command" TEXT NOT NULL DEFAULT '',
    "url" TEXT NOT NULL DEFAULT '',
    "external" BOOLEAN NOT NULL DEFAULT false,
    "subdomain" BOOLEAN NOT NULL DEFAULT false,
    "hidden" BOOLEAN NOT NULL DEFAULT false,
    "sharing_level" TEXT NOT NULL DEFAULT 'owner',
    "healthcheck_url" TEXT NOT NULL DEFAULT '',
    "healthcheck_interval" INTEGER NOT NULL DEFAULT 0,
    "healthcheck_threshold" INTEGER NOT NULL DEFAULT 0,
    "health" TEXT NOT NULL DEFAULT 'disabled',
    "display_order" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "workspace_apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_agent_scripts" (
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "log_source_id" UUID NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "script" TEXT NOT NULL,
    "cron" TEXT NOT NULL DEFAULT '',
    "run_on_start" BOOLEAN NOT NULL DEFAULT false,
    "run_on_stop" BOOLEAN NOT NULL DEFAULT false,
    "start_blocks_login" BOOLEAN NOT NULL DEFAULT false,
    "timeout_seconds" INTEGER NOT NULL DEFAULT 0,
    "log_path" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "workspace_agent_scripts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_agent_script_timings" (
    "id" BIGSERIAL NOT NULL,
    "script_id" UUID NOT NULL,
    "stage" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "exit_code" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "workspace_agent_script_timings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_agent_log_sources" (
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "icon" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_agent_log_sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_agent_logs" (
    "id" BIGSERIAL NOT NULL,
    "agent_id" UUID NOT NULL,
    "log_source_id" UUID NOT NULL,
    "level" TEXT NOT NULL DEFAULT 'info',
    "output" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_agent_logs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_agent_metadata" (
    "agent_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "script" TEXT NOT NULL,
    "interval_seconds" INTEGER NOT NULL,
    "timeout_seconds" INTEGER NOT NULL,
    "value" TEXT NOT NULL DEFAULT '',
    "error" TEXT NOT NULL DEFAULT '',
    "collected_at" TIMESTAMPTZ(6),
    "display_order" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "workspace_agent_metadata_pkey" PRIMARY KEY ("agent_id","key")
);

-- CreateIndex
CREATE INDEX "audit_logs_time_id_idx" ON "audit_logs"("time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_resource_type_time_id_idx" ON "audit_logs"("resource_type", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_action_time_id_idx" ON "audit_logs"("action", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_user_id_time_id_idx" ON "audit_logs"("user_id", "time" DESC, "id" DESC, "resource_type", "action", "build_reason");

-- CreateIndex
CREATE INDEX "audit_logs_organization_id_time_id_idx" ON "audit_logs"("organization_id", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_resource_id_time_id_idx" ON "audit_logs"("resource_id", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_resource_target_time_id_idx" ON "audit_logs"("resource_target", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_build_reason_time_id_idx" ON "audit_logs"("build_reason", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "api_keys_user_id_created_at_idx" ON "api_keys"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "api_keys_expires_at_idx" ON "api_keys"("expires_at");

-- CreateIndex
CREATE INDEX "organization_members_user_id_idx" ON "organization_members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "groups_organization_id_name_key" ON "groups"("organization_id", "name");

-- CreateIndex
CREATE INDEX "group_members_user_id_idx" ON "group_members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "provisioner_daemons_organization_id_name_key" ON "provisioner_daemons"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "provisioner_keys_hashed_secret_key" ON "provisioner_keys"("hashed_secret");

-- CreateIndex
CREATE INDEX "provisioner_job_logs_job_id_id_idx" ON "provisioner_job_logs"("job_id", "id");

-- CreateIndex
CREATE INDEX "provisioner_job_timings_job_id_id_idx" ON "provisioner_job_timings"("job_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_provider_apps_name_key" ON "oauth2_provider_apps"("name");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_provider_app_secrets_prefix_key" ON "oauth2_provider_app_secrets"("prefix");

-- CreateIndex
CREATE INDEX "oauth2_provider_app_secrets_app_id_created_at_idx" ON "oauth2_provider_app_secrets"("app_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "files_hash_created_by_id_key" ON "files"("hash", "created_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "templates_active_version_id_key" ON "templates"("active_version_id");

-- CreateIndex
CREATE UNIQUE INDEX "template_versions_job_id_key" ON "template_versions"("job_id");

-- CreateIndex
CREATE INDEX "template_versions_template_id_created_at_id_idx" ON "template_versions"("template_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "template_versions_template_id_name_key" ON "template_versions"("template_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_latest_build_id_key" ON "workspaces"("latest_build_id");

-- CreateIndex
CREATE INDEX "workspaces_owner_id_name_idx" ON "workspaces"("owner_id", "name");

-- CreateIndex
CREATE INDEX "workspaces_template_id_idx" ON "workspaces"("template_id");

-- CreateIndex
CREATE INDEX "workspaces_organization_id_idx" ON "workspaces"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_builds_job_id_key" ON "workspace_builds"("job_id");

-- CreateIndex
CREATE INDEX "workspace_builds_template_version_id_idx" ON "workspace_builds"("template_version_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_builds_workspace_id_build_number_key" ON "workspace_builds"("workspace_id", "build_number" DESC);

-- CreateIndex
CREATE INDEX "workspace_resources_job_id_idx" ON "workspace_resources"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_agents_hashed_token_key" ON "workspace_agents"("hashed_token");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_agents_resource_id_name_key" ON "workspace_agents"("resource_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_apps_agent_id_slug_key" ON "workspace_apps"("agent_id", "slug");

-- CreateIndex
CREATE INDEX "workspace_agent_scripts_agent_id_idx" ON "workspace_agent_scripts"("agent_id");

-- CreateIndex
CREATE INDEX "workspace_agent_script_timings_script_id_idx" ON "workspace_agent_script_timings"("script_id");

-- CreateIndex
CREATE INDEX "workspace_agent_log_sources_agent_id_idx" ON "workspace_agent_log_sources"("agent_id");

-- CreateIndex
CREATE INDEX "workspace_agent_logs_agent_id_id_idx" ON "workspace_agent_logs"("agent_id", "id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provisioner_daemons" ADD CONSTRAINT "provisioner_daemons_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provisioner_keys" ADD CONSTRAINT "provisioner_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provisioner_jobs" ADD CONSTRAINT "provisioner_jobs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provisioner_jobs" ADD CONSTRAINT "provisioner_jobs_initiator_id_fkey" FOREIGN KEY ("initiator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provisioner_jobs" ADD CONSTRAINT "provisioner_jobs_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "files"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provisioner_jobs" ADD CONSTRAINT "provisioner_jobs_worker_id_fkey" FOREIGN KEY ("worker_id") REFERENCES "provisioner_daemons"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provisioner_job_logs" ADD CONSTRAINT "provisioner_job_logs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "provisioner_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provisioner_job_timings" ADD CONSTRAINT "provisioner_job_timings_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "provisioner_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_provider_app_secrets" ADD CONSTRAINT "oauth2_provider_app_secrets_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "oauth2_provider_apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_active_version_id_fkey" FOREIGN KEY ("active_version_id") REFERENCES "template_versions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_template_id_fkey" FOREIGN KEY ("template_id") REFERENCES "templates"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "provisioner_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_version_parameters" ADD CONSTRAINT "template_version_parameters_template_version_id_fkey" FOREIGN KEY ("template_version_id") REFERENCES "template_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "template_version_variables" ADD CONSTRAINT "template_version_variables_template_version_id_fkey" FOREIGN KEY ("template_version_id") REFERENCES "template_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_template_id_fkey" FOREIGN KEY ("template_id") REFERENCES "templates"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_latest_build_id_fkey" FOREIGN KEY ("latest_build_id") REFERENCES "workspace_builds"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_builds" ADD CONSTRAINT "workspace_builds_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_builds" ADD CONSTRAINT "workspace_builds_template_version_id_fkey" FOREIGN KEY ("template_version_id") REFERENCES "template_versions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_builds" ADD CONSTRAINT "workspace_builds_initiator_id_fkey" FOREIGN KEY ("initiator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_builds" ADD CONSTRAINT "workspace_builds_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "provisioner_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_build_parameters" ADD CONSTRAINT "workspace_build_parameters_build_id_fkey" FOREIGN KEY ("build_id") REFERENCES "workspace_builds"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_resources" ADD CONSTRAINT "workspace_resources_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "provisioner_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_agents" ADD CONSTRAINT "workspace_agents_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "workspace_resources"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_apps" ADD CONSTRAINT "workspace_apps_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "workspace_agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_agent_scripts" ADD CONSTRAINT "workspace_agent_scripts_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "workspace_agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_agent_script_timings" ADD CONSTRAINT "workspace_agent_script_timings_script_id_fkey" FOREIGN KEY ("script_id") REFERENCES "workspace_agent_scripts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_agent_log_sources" ADD CONSTRAINT "workspace_agent_log_sources_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "workspace_agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_agent_logs" ADD CONSTRAINT "workspace_agent_logs_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "workspace_agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_agent_metadata" ADD CONSTRAINT "workspace_agent_metadata_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "workspace_agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;



-- What follows Prisma's schema language cannot say. Closed sets mirror packages/domain/src/enums.ts.

-- Names are unique whatever their case; a deleted object's name is free again.
CREATE UNIQUE INDEX "users_username_key" ON "users" (lower("username")) WHERE NOT "deleted";
CREATE UNIQUE INDEX "users_email_key" ON "users" (lower("email")) WHERE NOT "deleted";
CREATE UNIQUE INDEX "api_keys_token_name_key" ON "api_keys" ("user_id", "token_name") WHERE "login_type" = 'token';
CREATE UNIQUE INDEX "organizations_name_key" ON "organizations" (lower("name"));
CREATE UNIQUE INDEX "organizations_default_key" ON "organizations" ("is_default") WHERE "is_default";
CREATE UNIQUE INDEX "templates_name_key" ON "templates" ("organization_id", lower("name")) WHERE NOT "deleted";
CREATE UNIQUE INDEX "workspaces_name_key" ON "workspaces" ("owner_id", lower("name")) WHERE NOT "deleted";
CREATE UNIQUE INDEX "workspace_proxies_name_key" ON "workspace_proxies" (lower("name")) WHERE NOT "deleted";
CREATE UNIQUE INDEX "provisioner_keys_name_key" ON "provisioner_keys" ("organization_id", lower("name"));

-- The job queue: what waits, and whose lease may end.
CREATE INDEX "provisioner_jobs_waiting_idx" ON "provisioner_jobs" ("organization_id", "created_at", "id") WHERE "started_at" IS NULL AND "completed_at" IS NULL;
CREATE INDEX "provisioner_jobs_leased_idx" ON "provisioner_jobs" ("lease_expires_at") WHERE "started_at" IS NOT NULL AND "completed_at" IS NULL;

-- Closed sets and bounds.
ALTER TABLE "users"
  ADD CONSTRAINT "users_login_type_check" CHECK ("login_type" IN ('', 'password', 'codehost', 'oidc', 'token', 'none')),
  ADD CONSTRAINT "users_status_check" CHECK ("status" IN ('active', 'dormant', 'suspended')),
  ADD CONSTRAINT "users_username_check" CHECK ("username" <> '');
ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_login_type_check" CHECK ("login_type" IN ('password', 'codehost', 'oidc', 'token')),
  ADD CONSTRAINT "api_keys_scope_check" CHECK ("scope" IN ('all', 'application_connect')),
  ADD CONSTRAINT "api_keys_expiry_check" CHECK ("expires_at" <= "absolute_expires_at");
ALTER TABLE "groups"
  ADD CONSTRAINT "groups_source_check" CHECK ("source" IN ('user', 'oidc')),
  ADD CONSTRAINT "groups_quota_allowance_check" CHECK ("quota_allowance" >= 0);
ALTER TABLE "templates"
  ADD CONSTRAINT "templates_autostart_days_check" CHECK ("autostart_days_of_week" BETWEEN 0 AND 127),
  ADD CONSTRAINT "templates_autostop_days_check" CHECK ("autostop_days_of_week" BETWEEN 0 AND 127),
  ADD CONSTRAINT "templates_autostop_weeks_check" CHECK ("autostop_weeks" BETWEEN 1 AND 16),
  ADD CONSTRAINT "templates_durations_check" CHECK (LEAST("default_ttl_ms", "activity_bump_ms", "failure_ttl_ms", "time_til_dormant_ms", "time_til_dormant_autodelete_ms") >= 0),
  ADD CONSTRAINT "templates_max_port_share_level_check" CHECK ("max_port_share_level" IN ('owner', 'authenticated', 'public'));
ALTER TABLE "template_version_parameters"
  ADD CONSTRAINT "template_version_parameters_type_check" CHECK ("type" IN ('string', 'number', 'bool', 'list(string)')),
  ADD CONSTRAINT "template_version_parameters_monotonic_check" CHECK ("validation_monotonic" IN ('', 'increasing', 'decreasing'));
ALTER TABLE "template_version_variables"
  ADD CONSTRAINT "template_version_variables_type_check" CHECK ("type" IN ('string', 'number', 'bool'));
ALTER TABLE "provisioner_jobs"
  ADD CONSTRAINT "provisioner_jobs_kind_check" CHECK ("kind" IN ('template_version_import', 'workspace_build', 'template_version_dry_run')),
  ADD CONSTRAINT "provisioner_jobs_error_code_check" CHECK ("error_code" IN ('', 'REQUIRED_TEMPLATE_VARIABLES')),
  ADD CONSTRAINT "provisioner_jobs_lease_check" CHECK (("lease_token" IS NULL) = ("lease_expires_at" IS NULL));
ALTER TABLE "provisioner_job_logs"
  ADD CONSTRAINT "provisioner_job_logs_source_check" CHECK ("source" IN ('provisioner_daemon', 'provisioner')),
  ADD CONSTRAINT "provisioner_job_logs_level_check" CHECK ("level" IN ('trace', 'debug', 'info', 'warn', 'error'));
ALTER TABLE "workspaces"
  ADD CONSTRAINT "workspaces_automatic_updates_check" CHECK ("automatic_updates" IN ('always', 'never')),
  ADD CONSTRAINT "workspaces_ttl_check" CHECK ("ttl_ms" IS NULL OR "ttl_ms" BETWEEN 60000 AND 2592000000);
ALTER TABLE "workspace_builds"
  ADD CONSTRAINT "workspace_builds_transition_check" CHECK ("transition" IN ('start', 'stop', 'delete')),
  ADD CONSTRAINT "workspace_builds_reason_check" CHECK ("reason" IN ('initiator', 'autostart', 'autostop', 'dormancy', 'failedstop', 'autodelete')),
  ADD CONSTRAINT "workspace_builds_number_check" CHECK ("build_number" > 0);
ALTER TABLE "workspace_resources"
  ADD CONSTRAINT "workspace_resources_transition_check" CHECK ("transition" IN ('start', 'stop', 'delete'));
ALTER TABLE "workspace_agents"
  ADD CONSTRAINT "workspace_agents_lifecycle_state_check" CHECK ("lifecycle_state" IN
    ('created', 'starting', 'start_timeout', 'start_error', 'ready', 'shutting_down', 'shutdown_timeout', 'shutdown_error', 'off')),
  ADD CONSTRAINT "workspace_agents_logs_length_check" CHECK ("logs_length" BETWEEN 0 AND 1048576);
ALTER TABLE "workspace_apps"
  ADD CONSTRAINT "workspace_apps_sharing_level_check" CHECK ("sharing_level" IN ('owner', 'authenticated', 'public')),
  ADD CONSTRAINT "workspace_apps_health_check" CHECK ("health" IN ('disabled', 'initializing', 'healthy', 'unhealthy'));
ALTER TABLE "workspace_agent_logs"
  ADD CONSTRAINT "workspace_agent_logs_level_check" CHECK ("level" IN ('trace', 'debug', 'info', 'warn', 'error'));
ALTER TABLE "workspace_proxies"
  ADD CONSTRAINT "workspace_proxies_status_check" CHECK ("status" IN ('ok', 'unreachable', 'unhealthy', 'unregistered'));
ALTER TABLE "audit_logs"
  ADD CONSTRAINT "audit_logs_action_check" CHECK ("action" IN
    ('create', 'write', 'delete', 'start', 'stop', 'login', 'logout', 'register', 'request_password_reset'));

-- Every audit row waits to be sealed, whoever wrote it; the sealer hears of it when the row is committed.
CREATE FUNCTION "audit_logs_queue"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_pending" ("audit_log_id") SELECT "id" FROM "new_rows";
  PERFORM pg_notify('berth_news', '["audit",{}]');
  RETURN NULL;
END
$$;
CREATE TRIGGER "audit_logs_queue" AFTER INSERT ON "audit_logs"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "audit_logs_queue"();

-- What every deployment has from its first moment: its id, and the default organization with its everyone group, which share an id.
INSERT INTO "site_settings" ("key", "value") VALUES ('deployment_id', gen_random_uuid()::text);
WITH "organization" AS (
  INSERT INTO "organizations" ("id", "name", "display_name", "description", "is_default")
  VALUES (gen_random_uuid(), 'default', 'Default', 'The organization that every new user joins.', true)
  RETURNING "id"
)
INSERT INTO "groups" ("id", "organization_id", "name", "display_name") SELECT "id", "id", 'Everyone', 'Everyone' FROM "organization";
