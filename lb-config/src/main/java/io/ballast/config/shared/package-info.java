/**
 * Versions of a configuration that the nodes of a cluster share: {@link io.ballast.config.shared.ConfigurationBundle}
 * is the content of a version, {@link io.ballast.config.shared.SharedCopy} the copy of a node.
 */
@NullMarked
package io.ballast.config.shared;

import org.jspecify.annotations.NullMarked;
