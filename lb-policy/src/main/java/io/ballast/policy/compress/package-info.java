/** Compression of responses: {@link CompressionPolicy}. */
@NullMarked
package io.ballast.policy.compress;

import org.jspecify.annotations.NullMarked;
