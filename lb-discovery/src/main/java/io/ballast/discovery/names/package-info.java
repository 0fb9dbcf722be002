/**
 * The names of backends while the process runs: {@link io.ballast.discovery.names.NameResolver} knows where each leads,
 * asking a {@link io.ballast.discovery.names.NameLookup}; {@link io.ballast.discovery.names.NameFollower} has it look
 * again when the TTL is over.
 */
@NullMarked
package io.ballast.discovery.names;

import org.jspecify.annotations.NullMarked;
