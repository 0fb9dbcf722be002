/**
 * The names of backends while the process runs: {@link io.ballast.server.names.NameResolver} knows where each leads, asking a
 * {@link io.ballast.server.names.NameLookup}; {@link io.ballast.server.names.NameFollower} has it look again when the TTL is over.
 */
@NullMarked
package io.ballast.server.names;

import org.jspecify.annotations.NullMarked;
