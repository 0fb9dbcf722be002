package io.ballast.http.header;

import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HeaderVariable;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.Underscores;
import io.ballast.http.errorpage.ErrorPageTable;
import io.ballast.http.policy.PolicyChain;
import io.ballast.net.config.ListenerTls;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header edits of a route: the rules of the listener, then of the route, then of the pool, and the {@code Host}
 * header that the pool's backends receive. Also contains the error pages of the listener, the route and the pool.
 * Immutable.
 */
public final class RouteHeaderEdits {

    /** Changes nothing and keeps the client's {@code Host}. */
    public static final RouteHeaderEdits NONE = compile(List.of(), new HostHeader.Keep());

    private final CompiledHeaderChanges request;
    private final CompiledHeaderChanges response;
    private final boolean keepsHost;
    private final byte @Nullable [] fixedHost;
    private final boolean usesHost;
    private final boolean dropsUnderscores;
    private final @Nullable SessionCookie cookie;
    private final @Nullable ErrorPageTable errorPages;

    private RouteHeaderEdits(
            CompiledHeaderChanges request,
            CompiledHeaderChanges response,
            HostHeader host,
            boolean dropsUnderscores,
            @Nullable SessionCookie cookie,
            @Nullable ErrorPageTable errorPages) {
        this.request = request;
        this.response = response;
        this.keepsHost = host instanceof HostHeader.Keep;
        this.fixedHost =
                host instanceof HostHeader.Fixed fixed ? fixed.value().getBytes(StandardCharsets.US_ASCII) : null;
        this.usesHost = request.uses(HeaderVariable.HOST) || response.uses(HeaderVariable.HOST);
        this.dropsUnderscores = dropsUnderscores;
        this.cookie = cookie;
        this.errorPages = errorPages;
    }

    /** The edits for requests that match no route and have no policies. */
    public static RouteHeaderEdits of(ListenerConfig listener) {
        return of(listener, (PolicyChain) null);
    }

    /** The edits for requests that match no route. */
    public static RouteHeaderEdits of(ListenerConfig listener, @Nullable PolicyChain policies) {
        return compile(
                rules(listener, policies),
                new HostHeader.Keep(),
                isDropConfigured(listener),
                policies,
                /* cookie= */ null,
                ErrorPageTable.of(listener.errorPages()));
    }

    /** The header edits for a route that answers requests without forwarding them to a backend. */
    public static RouteHeaderEdits of(ListenerConfig listener, RouteConfig route, @Nullable PolicyChain policies) {
        List<HeaderRules> rules = rules(listener, policies);
        rules.add(route.headers());
        return compile(
                rules,
                new HostHeader.Keep(),
                isDropConfigured(listener),
                policies,
                /* cookie= */ null,
                ErrorPageTable.of(route.errorPages(), listener.errorPages()));
    }

    /** The edits for a route to a pool. */
    public static RouteHeaderEdits of(
            ListenerConfig listener, RouteConfig route, PoolConfig pool, @Nullable PolicyChain policies) {
        List<HeaderRules> rules = rules(listener, policies);
        rules.add(route.headers());
        rules.add(pool.headers());
        SessionCookie cookie = SessionCookie.of(
                        pool, listener.tls().isPresent(), responses(rules), responseLines(policies))
                .orElse(null);
        return compile(
                rules,
                pool.host(),
                isDropConfigured(listener),
                policies,
                cookie,
                ErrorPageTable.of(pool.errorPages(), route.errorPages(), listener.errorPages()));
    }

    private static boolean isDropConfigured(ListenerConfig listener) {
        return listener.underscores() == Underscores.DROP;
    }

    private static List<HeaderRules> rules(ListenerConfig listener, @Nullable PolicyChain policies) {
        List<HeaderRules> rules = new ArrayList<>();
        if (policies != null) {
            rules.add(policies.removedHeaders());
        }
        AltSvc.rules(listener).ifPresent(rules::add);
        listener.tls().flatMap(ListenerTls::hsts).ifPresent(hsts -> rules.add(hsts.toHeaderRules()));
        listener.requestId().ifPresent(id -> rules.add(requestId(id.header())));
        rules.add(listener.headers());
        return rules;
    }

    /** Adds the request ID as an ordinary header, which later rules may remove. */
    private static HeaderRules requestId(String header) {
        HeaderField field = new HeaderField(header, HeaderValue.parse("$" + HeaderVariable.REQUEST_ID.label()));
        return new HeaderRules(new HeaderChanges(List.of(field), List.of(), List.of()), HeaderChanges.NONE);
    }

    /**
     * Compiles rules, applied in order. Names with underscores are treated as
     * {@link io.ballast.http.config.Underscores#PASS} specifies.
     */
    public static RouteHeaderEdits compile(List<HeaderRules> inOrder, HostHeader host) {
        return compile(inOrder, host, /* dropsUnderscores= */ false);
    }

    /** Compiles rules. They are applied to a request or response in the order of the list. */
    public static RouteHeaderEdits compile(List<HeaderRules> inOrder, HostHeader host, boolean dropsUnderscores) {
        return compile(
                inOrder, host, dropsUnderscores, /* policies= */ null, /* cookie= */ null, /* errorPages= */ null);
    }

    private static RouteHeaderEdits compile(
            List<HeaderRules> inOrder,
            HostHeader host,
            boolean dropsUnderscores,
            @Nullable PolicyChain policies,
            @Nullable SessionCookie cookie,
            @Nullable ErrorPageTable errorPages) {
        return new RouteHeaderEdits(
                CompiledHeaderChanges.compile(
                        inOrder.stream().map(HeaderRules::request).toList(),
                        policies == null ? null : HeaderVariable.REQUEST_POLICY_LINES),
                CompiledHeaderChanges.compile(responses(inOrder), responseLines(policies)),
                host,
                dropsUnderscores,
                cookie,
                errorPages);
    }

    private static @Nullable HeaderVariable responseLines(@Nullable PolicyChain policies) {
        return policies == null ? null : HeaderVariable.RESPONSE_POLICY_LINES;
    }

    private static List<HeaderChanges> responses(List<HeaderRules> rules) {
        return rules.stream().map(HeaderRules::response).toList();
    }

    public CompiledHeaderChanges request() {
        return request;
    }

    public CompiledHeaderChanges response() {
        return response;
    }

    /** The session affinity cookie of the route; null if it has none. */
    public @Nullable SessionCookie cookie() {
        return cookie;
    }

    /** The error pages of the pool, the route and the listener; null for none. */
    public @Nullable ErrorPageTable errorPages() {
        return errorPages;
    }

    /** Whether backends get the client's own {@code Host}. */
    public boolean keepsHost() {
        return keepsHost;
    }

    /** The fixed {@code Host} for backends; null if it is not fixed. Must not be modified. */
    public byte @Nullable [] fixedHost() {
        return fixedHost;
    }

    /** Whether every header with an underscore in its name is removed from requests. */
    public boolean dropsUnderscores() {
        return dropsUnderscores;
    }

    /** Whether a rule uses the requested host. If so, the host must be kept until the response is sent. */
    public boolean usesHost() {
        return usesHost;
    }
}
