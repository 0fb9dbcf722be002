/**
 * What guards the authority against forged and endless queries: cookies, limits of response rates and suspicious ports.
 *
 * <p>{@link io.ballast.dns.protect.Protection} is made once from the configuration; each answering thread has a {@link
 * io.ballast.dns.protect.QueryGuard} of it. Memory is fixed when it starts, and nothing is logged.
 */
@NullMarked
package io.ballast.dns.protect;

import org.jspecify.annotations.NullMarked;
