/**
 * What in a request ties it to a backend: {@link io.ballast.http.route.key.RequestKey} reads the key of a pool that hashes by
 * something other than the client's address.
 */
@NullMarked
package io.ballast.http.route.key;

import org.jspecify.annotations.NullMarked;
