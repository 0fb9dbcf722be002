package io.ballast.server.importer.nginx;

import io.ballast.server.importer.Directive;
import io.ballast.server.importer.ImportReport;
import io.ballast.server.importer.NoEqualException;
import io.ballast.server.importer.Options;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** {@code proxy_set_header}: what tells backends about clients is a matter of the listener, other headers of the route. */
final class NginxForwarding {

    private static final Set<String> ABOUT_CLIENTS =
            Set.of("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "forwarded");

    private final Options listener;
    private final ImportReport report;

    NginxForwarding(Options listener, ImportReport report) {
        this.listener = listener;
        this.report = report;
    }

    /** Carries over what is a matter of the listener. */
    void read(NginxScope scope) {
        for (Directive header : scope.all("proxy_set_header")) {
            String name = header.word(1).toLowerCase(Locale.ROOT);
            if (name.equals("x-forwarded-for") && header.word(2).contains("$proxy_add_x_forwarded_for")) {
                listener.put("forwarding", "append");
            }
            if (ABOUT_CLIENTS.contains(name)) {
                listener.addTo("forwarding_headers", name);
                report.changed(header, "forwarding_headers: what the balancer sees, for all of the listener");
            } else if (name.equals("upgrade") || name.equals("connection")) {
                if (header.word(2).equals("$http_upgrade")) {
                    listener.put("upgrades", List.of("websocket"));
                }
                report.changed(header, "upgrades of the listener; connections are kept open by themselves");
            }
        }
    }

    /** Adds the other headers to what a route changes. */
    void requestHeaders(NginxScope scope, Map<String, Object> set, List<Object> removed) {
        for (Directive header : scope.all("proxy_set_header")) {
            String name = header.word(1).toLowerCase(Locale.ROOT);
            if (ABOUT_CLIENTS.contains(name)
                    || Set.of("host", "upgrade", "connection").contains(name)) {
                continue;
            }
            try {
                if (header.word(2).isEmpty()) {
                    removed.add(header.word(1));
                } else {
                    set.put(header.word(1), NginxValue.header(header.word(2)));
                }
                report.same(header);
            } catch (NoEqualException e) {
                report.noEqual(header, e.nearest());
            }
        }
    }
}
