/**
 * The byte buffer {@link io.ballast.http.bytes.ByteAppender}, which depends on no other package of this
 * project.
 */
@NullMarked
package io.ballast.http.bytes;

import org.jspecify.annotations.NullMarked;
