/**
 * Flow control for sending (RFC 9113 section 5.2), for client and server connections. Start with
 * {@link io.ballast.http.h2.flow.StreamOutput}.
 */
@NullMarked
package io.ballast.http.h2.flow;

import org.jspecify.annotations.NullMarked;
