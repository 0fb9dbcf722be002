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
 * Rejects requests that a page of another site could make a browser send: requests with a foreign Host that
 * resolves to this address (DNS rebinding), and cross-site requests. Requests with side effects are accepted
 * only from the dashboard's own origin, and from programs, which do not send the headers of a browser.
 */
final class RequestGuard {

    private static final byte LOOPBACK_NET = 127;

    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD");
    private static final Set<String> PROBE_PATHS = Set.of("/healthz", "/readyz");

    private final boolean isLocal;
    private volatile EndpointConfig config;
    private volatile Set<String> acceptedHosts;

    /**
     * @param config contains the accepted values of the Host header: the bind host and further names. localhost
     *     is always accepted.
     * @param address the resolved bind host. If other machines are served, any IP address is accepted as Host,
     *     since DNS rebinding needs a name. If only public resources are served, every Host is accepted.
     */
    RequestGuard(EndpointConfig config, InetAddress address) {
        this.isLocal = address.isLoopbackAddress();
        this.config = config;
        this.acceptedHosts = acceptedHosts(config);
    }

    /** Replaces the configuration, which contains the accepted host names. */
    void updateConfig(EndpointConfig next) {
        config = next;
        acceptedHosts = acceptedHosts(next);
    }

    private static Set<String> acceptedHosts(EndpointConfig config) {
        Set<String> names =
                new HashSet<>(Set.of("localhost", config.bind().host().toLowerCase(Locale.ROOT)));
        config.hosts().forEach(host -> names.add(host.toLowerCase(Locale.ROOT)));
        return Set.copyOf(names);
    }

    /**
     * Returns normally if the request is accepted; otherwise throws the {@link HttpProblem} for the response. Probes
     * are accepted with any Host header or none, because load balancers and supervisors send Host values of their own,
     * and all clients get the same response.
     */
    void check(HttpMethod method, String target, HttpHeaders headers) {
        if (READ_METHODS.contains(method.name()) && PROBE_PATHS.contains(pathOf(target))) {
            return;
        }
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        if (hosts.size() != 1) {
            throw HttpProblem.badRequest("a request needs exactly one Host header");
        }
        if (!isAcceptedHost(hostOf(hosts.get(0)))) {
            throw HttpProblem.of(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    isLocal
                            ? "the Host header does not name this machine; use localhost or 127.0.0.1"
                            : "the Host header is not a name of this dashboard; use its address, or add the name to dashboard.hosts");
        }
        if ("cross-site".equals(headers.get("Sec-Fetch-Site")) && !"navigate".equals(headers.get("Sec-Fetch-Mode"))) {
            throw crossSiteRequest();
        }
        if (!READ_METHODS.contains(method.name())) {
            checkOrigin(hosts.get(0), headers);
        }
    }

    /**
     * Rejects requests from other sites. Both headers are checked, because each alone has a gap: a browser sends
     * the form of another site as a navigation, and treats a page on another port of this machine as same-site.
     */
    private static void checkOrigin(String host, HttpHeaders headers) {
        String site = headers.get("Sec-Fetch-Site");
        if (site != null && !OWN_SITES.contains(site)) {
            throw crossSiteRequest();
        }
        for (String origin : headers.getAll(HttpHeaderNames.ORIGIN)) {
            if (!origin.equalsIgnoreCase("http://" + host) && !origin.equalsIgnoreCase("https://" + host)) {
                throw crossSiteRequest();
            }
        }
    }

    private static HttpProblem crossSiteRequest() {
        return HttpProblem.of(HttpResponseStatus.FORBIDDEN, "cross-site requests are not allowed");
    }

    private boolean isAcceptedHost(String host) {
        if (acceptedHosts.contains(host) || (!isLocal && config.audience() == Audience.EVERYONE)) {
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

    /** Returns the host without port and brackets, in lower case. */
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
