/**
 * The configuration that the nodes of a cluster share: {@link
 * io.ballast.replication.configuration.ClusterConfiguration} proposes and follows versions. Decision 109 describes the
 * steps.
 */
@NullMarked
package io.ballast.replication.configuration;

import org.jspecify.annotations.NullMarked;
