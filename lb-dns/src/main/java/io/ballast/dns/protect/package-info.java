/**
 * Protection against spoofed queries and query floods: cookies, response rate limits and suspicious ports.
 *
 * <p>{@link io.ballast.dns.protect.Protection} is created from the configuration; each answering thread has its own
 * {@link io.ballast.dns.protect.QueryGuard}. Memory use is fixed at the start, and nothing is logged.
 */
@NullMarked
package io.ballast.dns.protect;

import org.jspecify.annotations.NullMarked;
