# shellcheck shell=bash
# The controllers of this project in the place of those that the controller manager would run.

CONTROLLERS_MODULE="$DEV_DIR/../sample-controllers"
CONTROLLERS_MANIFESTS="$CONTROLLERS_MODULE/target/accounts"
# The operator in the manifests, which is also its account.
CONTROLLERS_OPERATOR=sample-controllers
CONTROLLERS_NAMESPACE=kube-system

controllers_jar() { find "$CONTROLLERS_MODULE/target" -maxdepth 1 -name '*-app.jar' 2>/dev/null | head -n 1; }

java_program() { printf '%s' "${JAVA_HOME:+$JAVA_HOME/bin/}java"; }

# Builds the application if it is missing, and takes its controllers from the controller manager.
choose_controllers() {
  local name
  [ -n "${CONTROLLERS:-}" ] || return 0
  need "$(java_program)" "it runs the controllers."
  [ -n "$(controllers_jar)" ] && [ -f "$CONTROLLERS_MANIFESTS/serviceaccount.yaml" ] || build_controllers
  for name in $(controller_names); do WITHOUT_CONTROLLERS="${WITHOUT_CONTROLLERS:+$WITHOUT_CONTROLLERS,}$name"; done
}

build_controllers() {
  say "building the controllers"
  (cd "$DEV_DIR/.." && ./mvnw -q -B -ntp -Dfast -pl sample-controllers -am package -DskipTests >&2) ||
    die "the controllers could not be built."
}

# The generator writes an account for each controller, with the name of the controller.
controller_names() { sed -n 's/^  name: //p' "$CONTROLLERS_MANIFESTS/serviceaccount.yaml" | grep -vx "$CONTROLLERS_OPERATOR"; }

# Creates the accounts with their roles, and the kubeconfig of the application.
create_controller_accounts() {
  find_kubectl
  cat "$CONTROLLERS_MANIFESTS/serviceaccount.yaml" <(printf -- '---\n') "$CONTROLLERS_MANIFESTS/rbac.yaml" |
    sed "s/^\( *\)namespace: $CONTROLLERS_OPERATOR\$/\1namespace: $CONTROLLERS_NAMESPACE/" |
    KUBECONFIG="$INSTANCE/kubeconfig" "$PROGRAM" apply -f - >"$INSTANCE/logs/accounts.log" 2>&1 ||
    die "the accounts of the controllers could not be created:" "$(tail -n 5 "$INSTANCE/logs/accounts.log")"
  KUBECONFIG="$INSTANCE/kubeconfig" "$PROGRAM" create token "$CONTROLLERS_OPERATOR" -n "$CONTROLLERS_NAMESPACE" \
    --duration=8760h | tr -d '\n' >"$INSTANCE/tokens/controllers"
  kubeconfig_for controllers "$(base64_of "$PKI/ca.crt")" controllers |
    sed "s/user: controllers}/user: controllers, namespace: $CONTROLLERS_NAMESPACE}/" >"$INSTANCE/kubeconfig-controllers"
}

controllers_arguments() {
  free_port >"$INSTANCE/controllers.port"
  printf '%s\n' -XX:+UseSerialGC -Xmx256m -jar "$(controllers_jar)" "--server.port=$(cat "$INSTANCE/controllers.port")" \
    "--reconciler4j.client.kubeconfig=$INSTANCE/kubeconfig-controllers" --controllers.use-service-account-credentials=true \
    --reconciler4j.client.qps=500 --reconciler4j.client.burst=1000
}

# The application is ready when its caches are filled and its controllers run.
application_ready() {
  curl --silent --max-time 10 --noproxy '*' --fail --output /dev/null \
    "http://127.0.0.1:$(cat "$INSTANCE/controllers.port")/actuator/health/readiness"
}
