/** Octets that are put together, whatever they mean: {@link io.ballast.http.octets.OctetBuffer}. Knows nothing of ours. */
@NullMarked
package io.ballast.http.octets;

import org.jspecify.annotations.NullMarked;
