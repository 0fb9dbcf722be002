package io.ballast.dns;

import io.ballast.core.ErrorText;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.ServerIdentity;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnstapConfig;
import io.ballast.dns.protect.Protection;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Derives the settings of the frontend's parts from a configuration, and warns about changes that need a restart. */
final class ConfigParts {

    private ConfigParts() {}

    static AnswerSettings answering(DnsConfig config, Protection protection) {
        ServerIdentity identity = new ServerIdentity(
                ServerName.of(config.identity()), config.version().orElse(""));
        return new AnswerSettings(
                protection, ServerName.of(config.nsid()), config.tcp().idle(), config.ecsTrusted(), identity);
    }

    static DnsLogging logging(DnsConfig config) {
        return new DnsLogging(
                config.logging().queryLog(), config.logging().dnstap().map(ConfigParts::withResolvedIdentity));
    }

    private static DnstapConfig withResolvedIdentity(DnstapConfig config) {
        return config.withIdentity(ServerName.of(Optional.of(config.identity())));
    }

    /**
     * Returns a warning if the configuration selects another UDP implementation. The implementation is chosen once per
     * process, so this change needs a restart.
     */
    static List<String> warnings(DnsConfig next, UdpTransport udp, TransportKind wanted, NettyTransport transport)
            throws IOException {
        try {
            UdpTransport choice = UdpTransport.of(next.udp(), wanted, transport);
            return choice.kind().equals(udp.kind())
                    ? List.of()
                    : List.of("dns.udp: " + choice.kind() + " requires a restart, " + udp.kind() + " stays in use");
        } catch (IllegalStateException e) {
            throw new IOException(ErrorText.of(e), e);
        }
    }
}
