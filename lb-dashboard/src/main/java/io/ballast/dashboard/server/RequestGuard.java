package io.ballast.dashboard.server;

import io.ballast.dashboard.server.EndpointConfig.Audience;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Turns away what a web page from elsewhere could make a browser on this machine send: requests for a foreign name that
 * was pointed at a loopback address (DNS rebinding), and requests that another site started. What changes something is
 * taken from the page of this very origin alone, or from programs, which send no such headers.
 */
final class RequestGuard {

    private static final byte LOOPBACK_NET = 127;

    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final Set<String> PROBES = Set.of("/healthz", "/readyz");

    private final boolean isLocal;
    private volatile EndpointConfig config;
    private volatile Set<String> names;

    /**
     * @param config the host that it binds to and its other names are accepted beside those of loopback
     * @param address what that host resolved to; where others than this machine are served, addresses are accepted as well,
     *     since they need no name that could be pointed at them, and every name where there is nothing but what anybody may
     *     have
     */
    RequestGuard(EndpointConfig config, InetAddress address) {
        this.isLocal = address.isLoopbackAddress();
        this.config = config;
        this.names = names(config);
    }

    /** Accepts other names from now on. */
    void follow(EndpointConfig next) {
        config = next;
        names = names(next);
    }

    private static Set<String> names(EndpointConfig config) {
        Set<String> names =
                new HashSet<>(Set.of("localhost", config.bind().host().toLowerCase(Locale.ROOT)));
        config.hosts().forEach(host -> names.add(host.toLowerCase(Locale.ROOT)));
        return Set.copyOf(names);
    }

    /**
     * Throws the {@link Problem} to answer with, or returns. Probes may come by any name, and without one: load balancers and
     * supervisors send their own, and the answer is the same for all.
     */
    void check(HttpMethod method, String target, HttpHeaders headers) {
        if (READING.contains(method.name()) && PROBES.contains(pathOf(target))) {
            return;
        }
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        if (hosts.size() != 1) {
            throw Problem.badRequest("a request needs exactly one Host header");
        }
        if (!isOurs(hostOf(hosts.get(0)))) {
            throw Problem.of(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    isLocal
                            ? "Host is not this machine's; use localhost or 127.0.0.1"
                            : "Host is no name of this dashboard; use its address, or add the name to dashboard.hosts");
        }
        if ("cross-site".equals(headers.get("Sec-Fetch-Site")) && !"navigate".equals(headers.get("Sec-Fetch-Mode"))) {
            throw foreign();
        }
        if (!READING.contains(method.name())) {
            checkOrigin(hosts.get(0), headers);
        }
    }

    /** A form of another page is a navigation, and a page at another port of this machine is of the same site. */
    private static void checkOrigin(String host, HttpHeaders headers) {
        String site = headers.get("Sec-Fetch-Site");
        if (site != null && !OWN_SITES.contains(site)) {
            throw foreign();
        }
        for (String origin : headers.getAll(HttpHeaderNames.ORIGIN)) {
            if (!origin.equalsIgnoreCase("http://" + host) && !origin.equalsIgnoreCase("https://" + host)) {
                throw foreign();
            }
        }
    }

    private static Problem foreign() {
        return Problem.of(HttpResponseStatus.FORBIDDEN, "requests from other sites are not answered");
    }

    private boolean isOurs(String host) {
        if (names.contains(host) || (!isLocal && config.audience() == Audience.EVERYONE)) {
            return true;
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        if (address == null) {
            return false;
        }
        if (!isLocal) {
            return true;
        }
        return address.length == 4 ? address[0] == LOOPBACK_NET : isIpv6Loopback(address);
    }

    private static boolean isIpv6Loopback(byte[] address) {
        for (int i = 0; i < address.length - 1; i++) {
            if (address[i] != 0) {
                return false;
            }
        }
        return address[address.length - 1] == 1;
    }

    private static String pathOf(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** The host without its port and brackets, in lower case. */
    private static String hostOf(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.startsWith("[")) {
            int end = lower.indexOf(']');
            return end < 0 ? "" : lower.substring(1, end);
        }
        int colon = lower.indexOf(':');
        return colon < 0 ? lower : lower.substring(0, colon);
    }
}
