terraform {
  required_version = ">= 1.4"
  required_providers {
    coder = {
      source = "coder/coder"
    }
  }
}

variable "run_on_this_host" {
  description = "The agent runs as a process on the provisioner's host, with its rights. Say true only where the host has nothing else on it."
  type        = bool
  validation {
    condition     = var.run_on_this_host
    error_message = "Put a machine of your own in place of terraform_data.workspace, and remove this variable: see README.md."
  }
}

data "coder_workspace" "me" {}
data "coder_workspace_owner" "me" {}
data "coder_provisioner" "me" {}

data "coder_parameter" "port" {
  name         = "port"
  display_name = "Port"
  description  = "Where the page of the workspace listens. Workspaces on one host need a port each."
  type         = "number"
  default      = 8123
  mutable      = true
  validation {
    min = 1024
    max = 65535
  }
}

resource "coder_agent" "main" {
  os   = data.coder_provisioner.me.os
  arch = data.coder_provisioner.me.arch

  startup_script = <<-EOT
    echo "Welcome, ${data.coder_workspace_owner.me.name}. Your home is $HOME, and it stays."
  EOT

  metadata {
    key          = "load"
    display_name = "Load"
    script       = "cut -d' ' -f1-3 /proc/loadavg"
    interval     = 15
    timeout      = 5
  }
  metadata {
    key          = "home"
    display_name = "Size of the home"
    script       = "du -sh \"$HOME\" | cut -f1"
    interval     = 60
    timeout      = 20
  }
}

resource "coder_app" "page" {
  agent_id     = coder_agent.main.id
  slug         = "page"
  display_name = "My page"
  url          = "http://localhost:${data.coder_parameter.port.value}"
}

# Serves the home's public folder with whatever the host has for that.
resource "coder_script" "page" {
  agent_id     = coder_agent.main.id
  display_name = "Serve my page"
  run_on_start = true
  script       = <<-EOT
    mkdir -p "$HOME/public"
    [ -e "$HOME/public/index.html" ] || echo '<h1>It works</h1>' >"$HOME/public/index.html"
    if command -v python3 >/dev/null; then
      python3 -m http.server ${data.coder_parameter.port.value} --bind 127.0.0.1 --directory "$HOME/public" >"$HOME/page.log" 2>&1 &
    else
      echo 'There is no python3 on this host, so there is no page.'
    fi
  EOT
}

# Stays when the workspace stops, and goes when it is deleted.
resource "terraform_data" "home" {
  input = pathexpand("~/berth-workspaces/${data.coder_workspace.me.id}")

  provisioner "local-exec" {
    command     = "umask 077; mkdir -p \"$FOLDER/home\""
    environment = { FOLDER = self.input }
  }
  provisioner "local-exec" {
    when        = destroy
    command     = "rm -rf -- \"$FOLDER\""
    environment = { FOLDER = self.input }
  }
}

# The machine: here a process of this host. The agent has a new token with every start, so it is made anew.
resource "terraform_data" "workspace" {
  count            = data.coder_workspace.me.start_count
  input            = terraform_data.home.output
  triggers_replace = [coder_agent.main.token]

  provisioner "local-exec" {
    command = <<-EOT
      umask 077
      cd "$FOLDER/home"
      printf '%s\n' "$AGENT_SCRIPT" >"$FOLDER/agent.sh"
      printf '%s' "$AGENT_TOKEN" >"$FOLDER/agent.token"
      env -i HOME="$FOLDER/home" PATH="$PATH" LANG="$${LANG:-C.UTF-8}" SHELL=/bin/sh USER="$(id -un)" \
        BERTH_AGENT_DIR="$FOLDER/agent" BERTH_AGENT_TOKEN_FILE="$FOLDER/agent.token" \
        setsid nohup /bin/sh "$FOLDER/agent.sh" >"$FOLDER/agent.log" 2>&1 </dev/null &
      echo $! >"$FOLDER/agent.pid"
    EOT
    environment = {
      FOLDER       = self.input
      AGENT_SCRIPT = coder_agent.main.init_script
      AGENT_TOKEN  = coder_agent.main.token
    }
  }

  provisioner "local-exec" {
    when        = destroy
    command     = <<-EOT
      pid=$(cat "$FOLDER/agent.pid" 2>/dev/null) || exit 0
      kill -TERM "$pid" 2>/dev/null || exit 0
      # Time for the scripts that run on a stop.
      for _ in $(seq 30); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.5
      done
      kill -KILL "-$pid" 2>/dev/null
      rm -rf "$FOLDER/agent" "$FOLDER/agent.pid" "$FOLDER/agent.token"
    EOT
    environment = { FOLDER = self.input }
  }
}

resource "coder_metadata" "workspace" {
  count       = data.coder_workspace.me.start_count
  resource_id = terraform_data.workspace[0].id
  # What it takes of its owner's quota each day while it runs. Groups have no allowance until somebody gives them one.
  daily_cost = 0
  item {
    key   = "host"
    value = "of the provisioner"
  }
}
