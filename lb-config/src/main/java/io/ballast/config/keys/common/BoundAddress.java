package io.ballast.config.keys.common;

import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import io.ballast.http.config.ListenerProtocol;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks the address of a listener and the settings that apply to it. */
public final class BoundAddress {

    private static final String PURPOSE = "listener";

    private final Node.Mapping listener;
    private final Node node;
    private final ReadContext reading;

    private BoundAddress(Node.Mapping listener, Node node, ReadContext reading) {
        this.listener = listener;
        this.node = node;
        this.reading = reading;
    }

    /**
     * Registers the address, and reports settings that do not apply to this kind of address.
     *
     * @param node location of the address
     */
    public static void check(
            Address address, ListenerProtocol protocol, Node.Mapping listener, Node node, ReadContext reading) {
        BoundAddress bound = new BoundAddress(listener, node, reading);
        if (address instanceof UnixSocket socket) {
            bound.checkUnix(socket, protocol);
        } else {
            bound.checkInet((HostPort) address, protocol);
        }
    }

    private void checkUnix(UnixSocket socket, ListenerProtocol protocol) {
        if (protocol == ListenerProtocol.UDP) {
            reading.error(node, "protocol udp does not support a Unix socket (expected: address:port)");
            return;
        }
        reading.ports().bind(PURPOSE, socket, node, reading);
        Path directory = Path.of(socket.path()).getParent();
        reading.recordOtherDependency();
        if (directory != null && !Files.isDirectory(directory)) {
            reading.warning(node, "there is no directory " + directory + " now");
        }
        proxyProtocol()
                .flatMap(proxies -> proxies.entry(ProxyProtocolKeys.TRUSTED_NAME))
                .ifPresent(trusted -> reading.error(
                        trusted.value(), "'trusted' is not allowed with a Unix socket (expected: socket.mode)"));
    }

    private void checkInet(HostPort address, ListenerProtocol protocol) {
        if (protocol == ListenerProtocol.UDP) {
            reading.ports().bindDatagrams(PURPOSE, address, node, reading);
        } else {
            reading.ports().bind(PURPOSE, address, node, reading);
        }
        listener.entry("socket")
                .ifPresent(socket -> reading.error(
                        listener, socket, "'socket' is not allowed with a port (expected: bind: unix:/path)"));
        proxyProtocol().ifPresent(proxies -> ProxyProtocolKeys.requireTrusted(proxies, reading));
    }

    private Optional<Node.Mapping> proxyProtocol() {
        return listener.entry("proxy_protocol")
                .map(Node.Entry::value)
                .filter(Node.Mapping.class::isInstance)
                .map(Node.Mapping.class::cast);
    }
}
