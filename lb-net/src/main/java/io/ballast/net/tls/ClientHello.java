package io.ballast.net.tls;

import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * What a TLS client tells of where it wants to go: in the clear in its first message, or by the handshake that we made with
 * it.
 *
 * @param serverName the name that it asks for (RFC 6066 section 3), in lower case and without a final dot; null if none
 * @param alpn the protocols that it offers (RFC 7301), in its order; after the handshake the one that was agreed on
 */
public record ClientHello(@Nullable String serverName, List<String> alpn) {

    /** Of a client that speaks something else than TLS. */
    public static final ClientHello NONE = new ClientHello(null, List.of());

    public ClientHello {
        alpn = List.copyOf(alpn);
    }

    /** What is known once the handshake is done. */
    public static ClientHello of(SslHandler tls) {
        String protocol = tls.applicationProtocol();
        return new ClientHello(serverName(tls.engine().getSession()), protocol == null ? List.of() : List.of(protocol));
    }

    private static @Nullable String serverName(SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    String text = host.getAsciiName().toLowerCase(Locale.ROOT);
                    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
                }
            }
        }
        return null;
    }
}
