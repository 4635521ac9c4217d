-- The code takes the driver of a job and of a template to be one of PROVISIONER_TYPES (packages/domain/src/enums.ts).
ALTER TABLE "provisioner_jobs"
  ADD CONSTRAINT "provisioner_jobs_provisioner_check" CHECK ("provisioner" IN ('process', 'container', 'terraform', 'echo'));
ALTER TABLE "templates"
  ADD CONSTRAINT "templates_provisioner_check" CHECK ("provisioner" IN ('process', 'container', 'terraform', 'echo'));
