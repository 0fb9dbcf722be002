package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedForwarding;
import io.ballast.config.imports.ImportedForwarding.Header;
import io.ballast.config.imports.ImportedForwarding.Policy;
import io.ballast.config.imports.ImportedHeaderEdits;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Converts {@code proxy_set_header}: forwarding headers belong to the listener, other headers to the route. */
final class NginxForwarding {

    private static final String CLIENT_HEADER_PREFIX = "$http_";
    private static final Set<String> HOP_BY_HOP_HEADERS =
            Set.of("upgrade", "connection", "keep-alive", "te", "proxy-connection", "transfer-encoding");

    private final ImportedListener listener;
    private final NginxVariables variables;
    private final ImportReport report;

    NginxForwarding(ImportedListener listener, NginxVariables known, ImportReport report) {
        this.listener = listener;
        this.variables = known;
        this.report = report;
    }

    /**
     * Converts the headers of a location into settings of its listener and its route, except the headers of the
     * directives {@code copied}, which a policy sets.
     */
    void read(NginxScope scope, Options route, Set<Directive> copied) {
        ImportedForwarding policies = new ImportedForwarding();
        ImportedHeaderEdits edits = new ImportedHeaderEdits(route, "request");
        for (Directive header : scope.all("proxy_set_header")) {
            if (copied.contains(header)) {
                continue;
            }
            String name = header.word(1).toLowerCase(Locale.ROOT);
            Optional<Header> aboutClient = Header.named(name);
            if (aboutClient.isPresent()) {
                policies.put(aboutClient.get(), policy(header, aboutClient.get()));
            } else if (HOP_BY_HOP_HEADERS.contains(name)) {
                connection(header, name);
            } else if (!name.equals("host")) {
                other(header, edits);
            }
        }
        listener.forwarding().restrict(policies);
    }

    private void connection(Directive header, String name) {
        if (name.equals("upgrade") && header.word(2).equals("$http_upgrade")) {
            listener.options().put("upgrades", List.of("websocket"));
        }
        report.addChanged(
                header,
                name.equals("upgrade") || name.equals("connection")
                        ? "controlled by 'upgrades' of the listener; connections are kept alive by default"
                        : "hop-by-hop header: Ballast sets or removes it itself");
    }

    /**
     * Returns the policy for a header. A client's value must not pass even if the configured value has no
     * equivalent, because nginx would replace it.
     */
    private Policy policy(Directive header, Header name) {
        String value = header.word(2);
        String own =
                CLIENT_HEADER_PREFIX + header.word(1).toLowerCase(Locale.ROOT).replace('-', '_');
        if (value.isEmpty() || value.equals(own)) {
            report.addChanged(header, "set by 'forwarding' of the listener, for all of its routes");
            return value.isEmpty() ? Policy.REMOVE : Policy.PASS;
        }
        if (name == Header.FOR && value.equals("$proxy_add_x_forwarded_for")) {
            report.addChanged(header, "set by 'forwarding' of the listener, for all of its routes");
            return Policy.APPEND;
        }
        if (isConnectionValue(name, value)) {
            report.addChanged(
                    header,
                    "set by 'forwarding' of the listener, for all of its routes"
                            + (value.equals("$host")
                                    ? "; the value includes the port from the client's Host header"
                                    : ""));
        } else {
            report.addUnsupported(
                    header,
                    "forwarding: the client's header is replaced by Ballast's own value; custom values are not supported");
        }
        return Policy.REPLACE;
    }

    private boolean isConnectionValue(Header name, String value) {
        return switch (name) {
            case FOR -> value.equals("$remote_addr") || value.equals("$realip_remote_addr");
            case PROTO -> variables.expand(value).equals(variables.isTls() ? "https" : "http");
            case HOST -> value.equals("$host") || value.equals("$http_host") || value.equals("$host:$server_port");
            case PORT -> variables.expand(value).equals(variables.port());
            case FORWARDED -> false;
        };
    }

    private void other(Directive header, ImportedHeaderEdits edits) {
        String name = header.word(1);
        try {
            if (header.word(2)
                    .equals(CLIENT_HEADER_PREFIX + name.toLowerCase(Locale.ROOT).replace('-', '_'))) {
                report.addSame(header); // Ballast forwards this header even without a setting
            } else if (header.word(2).isEmpty()) {
                edits.remove(name);
                report.addSame(header);
            } else {
                edits.set(name, NginxValue.header(variables.expand(header.word(2))));
                report.addTranslated(header, NginxValue.notes(header.word(2)));
            }
        } catch (UntranslatableException e) {
            edits.removeUntranslated(name);
            report.addUnsupported(header, "the header is removed from requests; " + e.nearest());
        }
    }
}
