-- CreateTable
CREATE TABLE "replicas" (
    "id" UUID NOT NULL,
    "hostname" TEXT NOT NULL,
    "relay_address" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "database_latency" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "stopped_at" TIMESTAMPTZ(6),

    CONSTRAINT "replicas_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_shares" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "access" TEXT NOT NULL,
    "user_id" UUID,
    "group_id" UUID,
    "agent_name" TEXT NOT NULL DEFAULT '',
    "app_slug" TEXT NOT NULL DEFAULT '',
    "terminal_id" UUID,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),

    CONSTRAINT "workspace_shares_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "replicas_updated_at_idx" ON "replicas"("updated_at");

-- CreateIndex
CREATE INDEX "workspace_shares_workspace_id_created_at_idx" ON "workspace_shares"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "workspace_shares_user_id_idx" ON "workspace_shares"("user_id");

-- CreateIndex
CREATE INDEX "workspace_shares_group_id_idx" ON "workspace_shares"("group_id");

-- CreateIndex
CREATE INDEX "workspace_shares_created_by_id_idx" ON "workspace_shares"("created_by_id");

-- AddForeignKey
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say: a share has one recipient, a terminal only where it is about one, and an end after its beginning.
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_access_check" CHECK ("access" IN ('apps', 'terminal', 'terminal_view'));
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_recipient_check" CHECK (num_nonnulls("user_id", "group_id") = 1);
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_terminal_check" CHECK (("access" = 'terminal_view') = ("terminal_id" IS NOT NULL));
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_app_check" CHECK ("access" = 'apps' OR "app_slug" = '');
ALTER TABLE "workspace_shares" ADD CONSTRAINT "workspace_shares_times_check" CHECK ("expires_at" > "created_at");

-- The shares that count, for those who come in by one and for the loop that ends them: those that are over are many more.
CREATE INDEX "workspace_shares_open_idx" ON "workspace_shares"("workspace_id", "access") WHERE "ended_at" IS NULL;
CREATE INDEX "workspace_shares_open_until_idx" ON "workspace_shares"("expires_at") WHERE "ended_at" IS NULL;

-- Programs in a workspace name their own log sources: an id is one only within its agent.
DROP INDEX "workspace_agent_log_sources_agent_id_idx";
ALTER TABLE "workspace_agent_log_sources" DROP CONSTRAINT "workspace_agent_log_sources_pkey",
ADD CONSTRAINT "workspace_agent_log_sources_pkey" PRIMARY KEY ("agent_id", "id");

-- Keys for the hosts of apps end with the session that they were made from.
ALTER TABLE "api_keys" ADD COLUMN "parent_id" CHAR(10);
CREATE INDEX "api_keys_parent_id_idx" ON "api_keys"("parent_id");
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
