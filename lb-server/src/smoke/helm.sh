#!/usr/bin/env bash
# Tests the Helm chart: helm.sh <root of the source tree>. Renders it with default values and with all options, and checks the
# resulting configuration with `lb check`. Needs helm, but no cluster.
set -euo pipefail

root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

chart=$("$root/bin/package" chart "$work")
helm lint --strict --quiet "$root/docker/helm/ballast"

# rendered <name> <arguments...>: renders the chart and checks its configuration.
rendered() {
    local name=$1
    shift
    helm template edge "$chart" --namespace web "$@" >"$work/$name.yaml"
    python3 - "$work/$name.yaml" "$work/$name.config.yaml" <<'CONFIG'
import sys
import yaml
documents = [each for each in yaml.safe_load_all(open(sys.argv[1])) if each]
kinds = {}
for each in documents:
    kinds.setdefault(each["kind"], []).append(each)
open(sys.argv[2], "w").write(kinds["ConfigMap"][0]["data"]["config.yaml"])
(workload,) = kinds.get("Deployment", []) + kinds.get("StatefulSet", [])
pod = workload["spec"]["template"]
selector = workload["spec"]["selector"]["matchLabels"]
assert selector.items() <= pod["metadata"]["labels"].items(), selector
for service in kinds["Service"]:
    assert service["spec"]["selector"] == selector, service
container = pod["spec"]["containers"][0]
assert pod["spec"]["securityContext"]["runAsNonRoot"] and container["securityContext"]["readOnlyRootFilesystem"]
mounted = {each["name"] for each in container["volumeMounts"]}
assert mounted == {
    each["name"] for each in pod["spec"]["volumes"]
} | {
    each["metadata"]["name"] for each in workload["spec"].get("volumeClaimTemplates", [])
}, mounted
CONFIG
    sed -i "s|/etc/ballast-cluster|$work/cluster|" "$work/$name.config.yaml"
    POD_NAME=edge-0 LB_PASSWORD_HASH="\$2b\$12\$$(printf 'a%.0s' {1..53})" LB_TOKEN_HASH="$(printf '0123456789abcdef%.0s' 1 2 3 4)" \
        "$root/bin/lb" check "$work/$name.config.yaml"
}
rendered plain
! grep -q 'kind: ServiceMonitor' "$work/plain.yaml"
rendered full --set dashboard.secret=ballast --set serviceMonitor.enabled=true --set graceSeconds=50 \
    --set 'volumes[0].name=tls,volumes[0].mountPath=/etc/tls,volumes[0].source.secret.secretName=www-tls' \
    --set 'env[0].name=A,env[0].value=b'
grep -q 'terminationGracePeriodSeconds: 60' "$work/full.yaml"
grep -q 'grace: 50s' "$work/full.config.yaml"
grep -q 'kind: ServiceMonitor' "$work/full.yaml"
cat >"$work/own.values.yaml" <<'OWN'
config:
  listeners: [{name: shop, bind: "0.0.0.0:8000", pool: shop}]
  pools: {shop: {backends: ["10.0.0.1:80"]}}
serviceAccount: {name: edge}
OWN
rendered own -f "$work/own.values.yaml"
grep -q 'shop:' "$work/own.config.yaml"
! grep -q 'web' "$work/own.config.yaml" || { echo "the example is part of a user's configuration"; exit 1; }
grep -q 'serviceAccountName: edge' "$work/own.yaml"
grep -q 'automountServiceAccountToken: true' "$work/own.yaml"
grep -q 'automountServiceAccountToken: false' "$work/plain.yaml"
# In a cluster, each pod has the files of its own name.
"$root/bin/lb" cluster init edge --directory "$work/cluster"
"$root/bin/lb" cluster cert edge-0 --directory "$work/cluster"
rendered cluster --set cluster.secret=edge-cluster --set replicas=3 --set cluster.voters=3
grep -q 'kind: StatefulSet' "$work/cluster.yaml"
! grep -q 'kind: Deployment' "$work/cluster.yaml"
grep -q 'edge-2.edge-nodes:7946' "$work/cluster.config.yaml"
if helm template edge "$chart" --set cluster.secret=edge-cluster --set config.cluster.name=edge >/dev/null 2>"$work/rejected"; then
    echo "accepted a cluster in config that the chart sets"
    exit 1
fi
grep -q 'config.cluster: set by the chart' "$work/rejected"
if helm template edge "$chart" --set cluster.secret=edge-cluster --set replicas=2 >/dev/null 2>"$work/rejected"; then
    echo "accepted more voters than pods"
    exit 1
fi
grep -q 'cluster.voters: 3 voters but 2 replicas' "$work/rejected"
if helm template edge "$chart" --set config.grace=1s >/dev/null 2>"$work/rejected"; then
    echo "accepted a key that the chart sets"
    exit 1
fi
grep -q 'config.grace: set by the chart' "$work/rejected"
echo "linted, rendered and checked in $SECONDS s"
