/**
 * Backends of a Kubernetes service: {@link io.ballast.discovery.kubernetes.KubernetesSource} lists and
 * watches the EndpointSlices of the service, and a table merges them.
 */
@NullMarked
package io.ballast.discovery.kubernetes;

import org.jspecify.annotations.NullMarked;
