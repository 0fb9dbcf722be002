package io.ballast.dns.secondary.transfer;

import io.ballast.net.tls.SocketTls;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.TSIG;

/**
 * The authentication of a primary.
 *
 * @param key the key with which queries are signed and responses must be signed; null for unsigned messages
 * @param tls TLS settings; null for plain TCP
 */
public record PrimarySecurity(@Nullable TSIG key, @Nullable SocketTls tls) {

    public static final PrimarySecurity NONE = new PrimarySecurity(/* key= */ null, /* tls= */ null);
}
