-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "identity_id" UUID,
ADD COLUMN     "permissions" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "groups" ADD COLUMN     "scim_external_id" TEXT;

-- AlterTable
ALTER TABLE "oauth2_provider_apps" ADD COLUMN     "client_type" TEXT NOT NULL DEFAULT 'confidential';

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "one_time_passcode_expires_at" TIMESTAMPTZ(6),
ADD COLUMN     "one_time_passcode_hash" BYTEA,
ADD COLUMN     "scim_external_id" TEXT,
ADD COLUMN     "scim_user_name" TEXT;

-- CreateTable
CREATE TABLE "user_identities" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "provider_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "sealed_access_token" BYTEA,
    "sealed_refresh_token" BYTEA,
    "token_expires_at" TIMESTAMPTZ(6),
    "token_checked_at" TIMESTAMPTZ(6),
    "id_token_claims" JSONB NOT NULL DEFAULT '{}',
    "user_info_claims" JSONB NOT NULL DEFAULT '{}',
    "merged_claims" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "git_ssh_keys" (
    "user_id" UUID NOT NULL,
    "public_key" TEXT NOT NULL,
    "sealed_private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "git_ssh_keys_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "external_auth_links" (
    "provider_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "sealed_access_token" BYTEA NOT NULL,
    "sealed_refresh_token" BYTEA,
    "expires_at" TIMESTAMPTZ(6),
    "failure" TEXT NOT NULL DEFAULT '',
    "sealed_token_extra" BYTEA,
    "refresh_lease" UUID,
    "refresh_lease_until" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "external_auth_links_pkey" PRIMARY KEY ("user_id","provider_id")
);

-- CreateTable
CREATE TABLE "custom_roles" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "site_permissions" JSONB NOT NULL DEFAULT '[]',
    "organization_permissions" JSONB NOT NULL DEFAULT '[]',
    "user_permissions" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "custom_roles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idp_sync_settings" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "organization_id" UUID,
    "settings" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idp_sync_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth2_provider_codes" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "prefix" TEXT NOT NULL,
    "hashed_secret" BYTEA NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "redirect_uri_given" BOOLEAN NOT NULL,
    "code_challenge" TEXT NOT NULL DEFAULT '',
    "scope" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "oauth2_provider_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth2_provider_tokens" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "family_id" UUID NOT NULL,
    "api_key_id" CHAR(10),
    "prefix" TEXT NOT NULL,
    "hashed_secret" BYTEA NOT NULL,
    "scope" TEXT NOT NULL,
    "granted_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "rotated_at" TIMESTAMPTZ(6),

    CONSTRAINT "oauth2_provider_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth2_provider_device_codes" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "user_id" UUID,
    "prefix" TEXT NOT NULL,
    "hashed_secret" BYTEA NOT NULL,
    "user_code" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "scope" TEXT NOT NULL,
    "interval_seconds" INTEGER NOT NULL,
    "last_polled_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "oauth2_provider_device_codes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "user_identities_user_id_idx" ON "user_identities"("user_id");

-- CreateIndex
CREATE INDEX "user_identities_token_expires_at_idx" ON "user_identities"("token_expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "user_identities_issuer_subject_key" ON "user_identities"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_provider_codes_prefix_key" ON "oauth2_provider_codes"("prefix");

-- CreateIndex
CREATE INDEX "oauth2_provider_codes_app_id_user_id_idx" ON "oauth2_provider_codes"("app_id", "user_id");

-- CreateIndex
CREATE INDEX "oauth2_provider_codes_expires_at_idx" ON "oauth2_provider_codes"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_provider_tokens_api_key_id_key" ON "oauth2_provider_tokens"("api_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_provider_tokens_prefix_key" ON "oauth2_provider_tokens"("prefix");

-- CreateIndex
CREATE INDEX "oauth2_provider_tokens_app_id_user_id_idx" ON "oauth2_provider_tokens"("app_id", "user_id");

-- CreateIndex
CREATE INDEX "oauth2_provider_tokens_family_id_idx" ON "oauth2_provider_tokens"("family_id");

-- CreateIndex
CREATE INDEX "oauth2_provider_tokens_expires_at_idx" ON "oauth2_provider_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_provider_device_codes_prefix_key" ON "oauth2_provider_device_codes"("prefix");

-- CreateIndex
CREATE UNIQUE INDEX "oauth2_provider_device_codes_user_code_key" ON "oauth2_provider_device_codes"("user_code");

-- CreateIndex
CREATE INDEX "oauth2_provider_device_codes_expires_at_idx" ON "oauth2_provider_device_codes"("expires_at");

-- CreateIndex
CREATE INDEX "api_keys_identity_id_idx" ON "api_keys"("identity_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "user_identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "git_ssh_keys" ADD CONSTRAINT "git_ssh_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_auth_links" ADD CONSTRAINT "external_auth_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_roles" ADD CONSTRAINT "custom_roles_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idp_sync_settings" ADD CONSTRAINT "idp_sync_settings_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_provider_codes" ADD CONSTRAINT "oauth2_provider_codes_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "oauth2_provider_apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_provider_codes" ADD CONSTRAINT "oauth2_provider_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_provider_tokens" ADD CONSTRAINT "oauth2_provider_tokens_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "oauth2_provider_apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_provider_tokens" ADD CONSTRAINT "oauth2_provider_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_provider_tokens" ADD CONSTRAINT "oauth2_provider_tokens_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_provider_device_codes" ADD CONSTRAINT "oauth2_provider_device_codes_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "oauth2_provider_apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth2_provider_device_codes" ADD CONSTRAINT "oauth2_provider_device_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows Prisma's schema language cannot say. Closed sets mirror packages/domain/src/enums.ts.

-- A role's name is unique where it can be given, whatever its case; so is each place of a setting.
CREATE UNIQUE INDEX "custom_roles_name_key" ON "custom_roles" ("organization_id", lower("name")) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "idp_sync_settings_place_key" ON "idp_sync_settings" ("kind", "organization_id") NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "users_scim_external_id_key" ON "users" ("scim_external_id") WHERE NOT "deleted";
CREATE UNIQUE INDEX "users_scim_user_name_key" ON "users" (lower("scim_user_name")) WHERE NOT "deleted";
CREATE UNIQUE INDEX "groups_scim_external_id_key" ON "groups" ("organization_id", "scim_external_id");

ALTER TABLE "users"
  ADD CONSTRAINT "users_one_time_passcode_check" CHECK (("one_time_passcode_hash" IS NULL) = ("one_time_passcode_expires_at" IS NULL));
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_kind_check" CHECK ("kind" IN ('oidc', 'codehost'));
ALTER TABLE "api_keys"
  DROP CONSTRAINT "api_keys_login_type_check",
  DROP CONSTRAINT "api_keys_scope_check",
  ADD CONSTRAINT "api_keys_login_type_check" CHECK ("login_type" IN ('password', 'codehost', 'oidc', 'token', 'oauth2_provider_app')),
  ADD CONSTRAINT "api_keys_scope_check" CHECK ("scope" IN ('all', 'application_connect', 'read_only', 'limited')),
  ADD CONSTRAINT "api_keys_permissions_check" CHECK (("scope" = 'limited') = (cardinality("permissions") > 0));
ALTER TABLE "idp_sync_settings"
  ADD CONSTRAINT "idp_sync_settings_kind_check" CHECK ("kind" IN ('organization', 'groups', 'roles')),
  ADD CONSTRAINT "idp_sync_settings_place_check" CHECK (("kind" = 'organization') = ("organization_id" IS NULL));
ALTER TABLE "oauth2_provider_apps"
  ADD CONSTRAINT "oauth2_provider_apps_client_type_check" CHECK ("client_type" IN ('confidential', 'public'));
ALTER TABLE "oauth2_provider_device_codes"
  ADD CONSTRAINT "oauth2_provider_device_codes_status_check" CHECK ("status" IN ('pending', 'approved', 'denied', 'used')),
  ADD CONSTRAINT "oauth2_provider_device_codes_user_check" CHECK (("status" = 'pending') = ("user_id" IS NULL));
