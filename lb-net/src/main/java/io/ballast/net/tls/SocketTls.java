package io.ballast.net.tls;

import io.ballast.core.ErrorText;
import io.ballast.core.config.BackendTls;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.3 for blocking connections, where the asynchronous {@link ClientTls} cannot be used. As in {@link
 * ClientTls}, a server's certificate must match the requested host and come from a trusted issuer. Sessions
 * are resumed.
 *
 * <p>Thread safety: any thread may call it. Changed files are reloaded when the next connection is secured.
 */
public final class SocketTls {

    private static final Logger LOG = LoggerFactory.getLogger(SocketTls.class);

    private static final String[] VERSIONS = {"TLSv1.3"};

    private final BackendTls config;
    private final String[] applicationProtocols;
    private final WatchedFiles files;
    private @Nullable TlsIdentity identity;
    private SSLContext context;

    private SocketTls(BackendTls config, List<String> applicationProtocols) throws IOException {
        this.config = config;
        this.applicationProtocols = applicationProtocols.toArray(new String[0]);
        this.files = ClientTls.files(config);
        files.haveChanged();
        this.context = build();
    }

    /**
     * Reads the files.
     *
     * @param applicationProtocols the ALPN names of the offered protocols (RFC 7301); servers without ALPN are accepted
     * too
     * @throws IOException if a file cannot be read or used; the message names the file
     */
    public static SocketTls open(BackendTls config, List<String> applicationProtocols) throws IOException {
        return new SocketTls(config, applicationProtocols);
    }

    /**
     * Performs a handshake over a connection; closing the returned socket closes the connection. Blocks up to the
     * timeout of the connection.
     *
     * @param host the host of the server's address, as configured
     * @throws IOException if either side rejects the other's certificate; the message gives the reason
     */
    public SSLSocket secure(Socket connected, String host) throws IOException {
        String name = config.serverName().orElse(host);
        SSLSocket socket =
                (SSLSocket) context().getSocketFactory().createSocket(connected, name, connected.getPort(), true);
        try {
            socket.setSSLParameters(parameters(socket.getSSLParameters(), name));
            socket.startHandshake();
            return socket;
        } catch (SSLException e) {
            throw new SSLException(TlsErrors.text(e), e);
        }
    }

    private SSLParameters parameters(SSLParameters parameters, String name) {
        parameters.setProtocols(VERSIONS);
        parameters.setApplicationProtocols(applicationProtocols);
        if (!config.insecure()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (!NetUtil.isValidIpV4Address(name) && !NetUtil.isValidIpV6Address(name)) {
            try {
                parameters.setServerNames(List.of(new SNIHostName(name)));
            } catch (IllegalArgumentException e) {
                LOG.debug("not a valid SNI name: {}", name, e);
            }
        }
        return parameters;
    }

    private synchronized SSLContext context() {
        if (files.haveChanged()) {
            try {
                context = build();
                LOG.info("msg=\"reloaded changed TLS files for primaries\"");
            } catch (IOException e) {
                LOG.warn(
                        "msg=\"cannot load changed TLS files for primaries; the previous ones stay active\""
                                + " cause=\"{}\"",
                        ErrorText.of(e));
            }
        }
        return context;
    }

    private SSLContext build() throws IOException {
        @Nullable TlsIdentity next = ClientTls.loadIdentity(config, identity);
        SSLContext built = ((JdkSslContext) ClientTls.build(
                        config, next, SslContextBuilder.forClient().sslProvider(SslProvider.JDK)))
                .context();
        identity = next;
        return built;
    }
}
