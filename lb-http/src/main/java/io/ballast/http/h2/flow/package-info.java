/**
 * Frames on their way out under the windows of HTTP/2 (RFC 9113 section 5.2), whichever side we are. Start with {@link
 * io.ballast.http.h2.flow.StreamOutput}.
 */
@NullMarked
package io.ballast.http.h2.flow;

import org.jspecify.annotations.NullMarked;
