# shellcheck shell=bash
# Endpoints and EndpointSlices of Services.

addresses() { k get endpoints "$1" -o 'jsonpath={.subsets[*].addresses[*].targetRef.name}' 2>/dev/null | wc -w | tr -d ' '; }

topic_services() {
  objects <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: "runs.example/app:1", ports: [{name: http, containerPort: 8080}, {name: admin, containerPort: 9090}]}]
---
apiVersion: v1
kind: Service
metadata: {name: web, labels: {team: shop}}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: http}, {name: admin, port: 81, targetPort: 9090}]}
---
apiVersion: v1
kind: Service
metadata: {name: headless}
spec: {clusterIP: None, publishNotReadyAddresses: true, selector: {app: web}}
---
apiVersion: v1
kind: Service
metadata: {name: manual}
spec: {ports: [{port: 80}]}
YAML
  rolled_out deployment/web
  reach 3 addresses web
  reach 3 addresses headless
  run k get endpoints headless
  run_sorted k get endpointslices -l kubernetes.io/service-name=headless
  state endpoints,endpointslices
  pod=$(first_running app=web)
  printf '$ a pod is not ready\n'
  k patch pod "$pod" --subresource=status -p '{"status":{"conditions":[{"type":"Ready","status":"False"}]}}' >/dev/null
  reach 2 addresses web
  state endpoints,endpointslices
  run k label --overwrite "pod/$pod" app=out
  reach 3 addresses web
  run k scale deployment/web --replicas=1
  reach 1 addresses web
  run k patch service web --type=merge -p '{"spec":{"ports":[{"name":"other","port":82,"targetPort":"nothing"}]}}'
  reach 0 addresses web
  run k patch service web --type=merge -p '{"metadata":{"labels":{"team":"others"}},"spec":{"selector":{"app":"out"},"ports":[{"port":80}]}}'
  reach others k get endpoints web -o 'jsonpath={.metadata.labels.team}'
  state endpoints,endpointslices
  run k delete service web
  reach_gone endpoints/web
  reach '' k get endpointslices -l kubernetes.io/service-name=web -o name
  run k delete pod "$pod"
  state endpoints,endpointslices
}
