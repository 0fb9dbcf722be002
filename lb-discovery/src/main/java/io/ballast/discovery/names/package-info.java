/**
 * Resolves the names of backends while the process runs. {@link io.ballast.discovery.names.NameResolver}
 * keeps the current address of each name and queries a {@link io.ballast.discovery.names.NameLookup}. {@link
 * io.ballast.discovery.names.NameFollower} starts the next lookup when the TTL has expired.
 */
@NullMarked
package io.ballast.discovery.names;

import org.jspecify.annotations.NullMarked;
