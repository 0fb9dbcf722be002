/**
 * Backends of a Kubernetes service: {@link io.ballast.discovery.kubernetes.KubernetesSource} lists and watches its slices of
 * endpoints, which a table merges.
 */
@NullMarked
package io.ballast.discovery.kubernetes;

import org.jspecify.annotations.NullMarked;
