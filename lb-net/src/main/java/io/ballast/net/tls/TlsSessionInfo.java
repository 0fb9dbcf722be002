package io.ballast.net.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The parameters negotiated in a connection's TLS handshake, as visible ASCII for logs and headers; absent
 * values are empty. Immutable; callers must not modify the arrays.
 *
 * <p>Cost: computed at the first access for a connection, then an attribute lookup. A connection whose
 * parameters are never accessed costs nothing.
 */
public final class TlsSessionInfo {

    /**
     * Longest subject in bytes. A longer subject counts as absent, since a truncated subject could be another
     * client's name.
     */
    static final int MAX_SUBJECT_BYTES = 1024;

    private static final AttributeKey<TlsSessionInfo> KEY = AttributeKey.valueOf(TlsSessionInfo.class, "facts");
    private static final byte[] NOTHING = {};
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /** The values of a connection without TLS. */
    public static final TlsSessionInfo NONE =
            new TlsSessionInfo(NOTHING, NOTHING, NOTHING, NOTHING, /* clientCertificate= */ null);

    private final byte[] version;
    private final byte[] cipher;
    private final byte[] serverName;
    private final byte[] applicationProtocol;
    private final @Nullable ClientCertificate clientCertificate;

    private TlsSessionInfo(
            byte[] version,
            byte[] cipher,
            byte[] serverName,
            byte[] applicationProtocol,
            @Nullable ClientCertificate clientCertificate) {
        this.version = version;
        this.cipher = cipher;
        this.serverName = serverName;
        this.applicationProtocol = applicationProtocol;
        this.clientCertificate = clientCertificate;
    }

    /**
     * Returns the TLS session data of a connection after its handshake; {@link #NONE} without TLS. Called on the
     * connection's event loop.
     */
    public static TlsSessionInfo of(Channel channel) {
        TlsSessionInfo known = channel.attr(KEY).get();
        if (known != null) {
            return known;
        }
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        TlsSessionInfo facts = tls == null ? NONE : read(channel, tls);
        channel.attr(KEY).set(facts);
        return facts;
    }

    /**
     * Stores the parameters of a connection whose handshake Netty's {@link SslHandler} does not make, such as QUIC.
     * Called on the connection's event loop.
     *
     * @param serverName the host that the client asked for; null if it has sent none
     */
    public static void store(Channel channel, SSLSession session, @Nullable String serverName, String protocol) {
        channel.attr(KEY)
                .set(new TlsSessionInfo(
                        visible(session.getProtocol()),
                        visible(session.getCipherSuite()),
                        visible(serverName),
                        visible(protocol),
                        clientCertificate(session)));
    }

    private static TlsSessionInfo read(Channel channel, SslHandler tls) {
        SSLSession session = tls.engine().getSession();
        return new TlsSessionInfo(
                visible(session.getProtocol()),
                visible(session.getCipherSuite()),
                visible(RequestedHost.of(channel)),
                visible(tls.applicationProtocol()),
                clientCertificate(session));
    }

    /** The TLS version, for instance {@code TLSv1.3}. */
    public byte[] version() {
        return version;
    }

    /** The registered name of the cipher suite, for instance {@code TLS_AES_128_GCM_SHA256}. */
    public byte[] cipher() {
        return cipher;
    }

    /** The host that the client requested (SNI), in lower case and without a final dot. */
    public byte[] serverName() {
        return serverName;
    }

    /** The negotiated protocol (ALPN), for instance {@code h2}. */
    public byte[] applicationProtocol() {
        return applicationProtocol;
    }

    /**
     * The subject of the client certificate in <a href="https://datatracker.ietf.org/doc/html/rfc4514">RFC 4514</a>
     * notation, with non-ASCII bytes in hexadecimal.
     */
    public byte[] clientSubject() {
        return clientCertificate == null ? NOTHING : clientCertificate.subjectText();
    }

    /** The verified certificate of the client; null if it has sent none. */
    public @Nullable ClientCertificate clientCertificate() {
        return clientCertificate;
    }

    private static @Nullable ClientCertificate clientCertificate(SSLSession session) {
        try {
            Certificate first = session.getPeerCertificates()[0];
            return first instanceof X509Certificate certificate ? new ClientCertificate(certificate) : null;
        } catch (SSLPeerUnverifiedException e) {
            return null; // most clients send no certificate
        }
    }

    /**
     * Converts a text to bytes; returns no bytes if it contains a character that is not valid in a header or log
     * line.
     */
    private static byte[] visible(@Nullable String text) {
        if (text == null || !text.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '"')) {
            return NOTHING;
        }
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] escaped(String name) {
        StringBuilder text = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b < 0x7F) {
                text.append((char) b);
            } else {
                text.append('\\').append(HEX[(b >> 4) & 0xF]).append(HEX[b & 0xF]);
            }
        }
        return text.length() > MAX_SUBJECT_BYTES ? NOTHING : text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
