/**
 * Affinity keys of requests: {@link io.ballast.http.route.key.RequestKey} reads the key of a pool that hashes something
 * other than the client's address.
 */
@NullMarked
package io.ballast.http.route.key;

import org.jspecify.annotations.NullMarked;
