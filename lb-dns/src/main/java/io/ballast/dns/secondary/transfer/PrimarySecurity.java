package io.ballast.dns.secondary.transfer;

import io.ballast.net.tls.SocketTls;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.TSIG;

/**
 * How a primary is known to be the one that is meant.
 *
 * @param key signs what is asked and must sign what comes; null for messages without signatures
 * @param tls over which it is asked; null for plain TCP
 */
public record PrimarySecurity(@Nullable TSIG key, @Nullable SocketTls tls) {

    public static final PrimarySecurity NONE = new PrimarySecurity(/* key= */ null, /* tls= */ null);
}
