/** A byte buffer, {@link io.ballast.http.octets.ByteAppender}, which depends on no other package of this project. */
@NullMarked
package io.ballast.http.octets;

import org.jspecify.annotations.NullMarked;
