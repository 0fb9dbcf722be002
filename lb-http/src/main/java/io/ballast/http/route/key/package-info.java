/**
 * Affinity keys of requests: {@link io.ballast.http.route.key.RequestKey} computes the key of a request for
 * pools that hash something other than the client's address.
 */
@NullMarked
package io.ballast.http.route.key;

import org.jspecify.annotations.NullMarked;
