/**
 * Backends of a Kubernetes service: {@link io.ballast.server.discovery.kubernetes.KubernetesSource} lists and watches its slices of
 * endpoints, which a table merges.
 */
@NullMarked
package io.ballast.server.discovery.kubernetes;

import org.jspecify.annotations.NullMarked;
