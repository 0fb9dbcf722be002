package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedUsers;
import io.ballast.config.imports.UntranslatableException;
import io.ballast.policy.config.BasicConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts {@code auth_basic} and {@code auth_request} to policies. A location whose authentication has no equivalent
 * gets a policy that refuses all requests, because the location must not become public.
 */
final class NginxAuthentication {

    private static final Pattern URL = Pattern.compile("(https?)://([^/\\s]+)(/[!-~]*)?");
    private static final String ANSWER_HEADER = "$upstream_http_";
    private static final String CLOSED =
            "; until it is replaced, the policy 'closed' refuses all requests of the location";

    private final Path base;
    private final ImportedConfig config;
    private final ImportReport report;

    NginxAuthentication(Path base, ImportedConfig config, ImportReport report) {
        this.base = base;
        this.config = config;
        this.report = report;
    }

    /**
     * Returns the names of the policies for the authentication of a location.
     *
     * @param server the scope of the server, which contains the location of an authentication request
     * @param copied receives the {@code proxy_set_header} directives that the policies replace
     */
    List<String> policies(NginxScope server, NginxScope scope, Set<Directive> copied) {
        List<String> names = new ArrayList<>();
        scope.last("auth_basic").flatMap(basic -> basic(basic, scope)).ifPresent(names::add);
        scope.last("auth_request")
                .flatMap(request -> request(request, server, scope, copied))
                .ifPresent(names::add);
        scope.last("auth_jwt").filter(jwt -> !jwt.word(1).equals("off")).ifPresent(jwt -> {
            names.add(closed(jwt, "use a jwt policy"));
            scope.last("auth_jwt_key_file")
                    .ifPresent(file -> report.addUnsupported(file, "use jwks_file of a jwt policy"));
        });
        boolean isAny = names.size() > 1 && isAny(scope);
        return isAny ? List.of(config.policy("either", Map.of("any", names))) : names;
    }

    /** Returns whether {@code satisfy any} applies. */
    boolean isAny(NginxScope scope) {
        scope.last("satisfy").ifPresent(report::addSame);
        return scope.last("satisfy")
                .filter(satisfy -> satisfy.word(1).equals("any"))
                .isPresent();
    }

    private Optional<String> basic(Directive basic, NginxScope scope) {
        Optional<Directive> file = scope.last("auth_basic_user_file");
        if (basic.word(1).equals("off")) {
            report.addSame(basic);
            return Optional.empty();
        }
        if (file.isEmpty()) {
            report.addChanged(basic, "ignored: it has no effect without auth_basic_user_file");
            return Optional.empty();
        }
        try {
            if (file.get().word(1).contains("$")) {
                throw new UntranslatableException("users_file supports only a fixed file name");
            }
            Path users = base.resolve(file.get().word(1));
            ImportedUsers.check(users);
            Map<String, Object> settings = new LinkedHashMap<>();
            settings.put("users_file", users.toString());
            if (basic.word(1).matches(BasicConfig.REALM) && !basic.word(1).contains("$")) {
                settings.put("realm", basic.word(1));
                report.addSame(basic);
            } else {
                report.addChanged(basic, "unsupported realm; the default realm is used");
            }
            settings.put("forward_credentials", true);
            report.addSame(file.get());
            return Optional.of(config.policy("users", Map.of("basic", settings)));
        } catch (UntranslatableException e) {
            report.addUnsupported(file.get(), e.nearest());
            return Optional.of(closed(basic, "use a basic policy"));
        }
    }

    private String closed(Directive directive, String nearest) {
        report.addUnsupported(directive, nearest + CLOSED);
        return config.closedPolicy();
    }

    private Optional<String> request(Directive request, NginxScope server, NginxScope scope, Set<Directive> copied) {
        if (request.word(1).equals("off")) {
            report.addSame(request);
            return Optional.empty();
        }
        try {
            Map<String, Object> settings = new LinkedHashMap<>();
            settings.put("address", address(request.word(1), server));
            List<String> headers = copiedHeaders(scope, copied);
            if (!headers.isEmpty()) {
                settings.put("copy_headers", headers);
            }
            report.addChanged(
                    request,
                    "the authentication server gets X-Forwarded-Method, -Proto, -Host, -Uri and -For; its response is sent to"
                            + " the client, unless the status is 2xx");
            return Optional.of(config.policy("auth", Map.of("forward_auth", settings)));
        } catch (UntranslatableException e) {
            return Optional.of(closed(request, e.nearest()));
        }
    }

    /** Returns the URL to which the location of an authentication request forwards. */
    private String address(String path, NginxScope server) throws UntranslatableException {
        Directive location = server.blocks().get(server.blocks().size() - 1).stream()
                .filter(directive -> directive.name().equals("location"))
                .filter(directive -> directive.words().equals(List.of("location", path))
                        || directive.words().equals(List.of("location", "=", path)))
                .findFirst()
                .orElseThrow(() ->
                        new UntranslatableException("no location has exactly this path; use a forward_auth policy"));
        Directive pass = location.block().stream()
                .filter(directive -> directive.name().equals("proxy_pass"))
                .findFirst()
                .orElseThrow(
                        () -> new UntranslatableException("its location has no proxy_pass; use a forward_auth policy"));
        Matcher url = URL.matcher(pass.word(1));
        if (!url.matches() || pass.word(1).contains("$")) {
            throw new UntranslatableException("'address' of forward_auth supports only a fixed URL");
        }
        String uri = url.group(3) == null ? path : String.valueOf(url.group(3));
        String address = url.group(1) + "://" + host(String.valueOf(url.group(2)), server) + uri;
        location.block().stream()
                .filter(directive -> !directive.name().equals("internal"))
                .forEach(directive -> report.addChanged(directive, "replaced by the forward_auth policy"));
        return address;
    }

    /** Returns the address of a host, which may be the name of an upstream with one server. */
    private static String host(String name, NginxScope server) throws UntranslatableException {
        Optional<Directive> upstream = server.blocks().get(0).stream()
                .filter(directive -> directive.words().equals(List.of("upstream", name)))
                .findFirst();
        if (upstream.isEmpty()) {
            return name;
        }
        List<Directive> servers = upstream.get().block().stream()
                .filter(directive -> directive.name().equals("server"))
                .toList();
        if (servers.size() != 1 || servers.get(0).word(1).startsWith("unix:")) {
            throw new UntranslatableException(
                    "'address' of forward_auth supports only one server, which may be a load balancer");
        }
        return servers.get(0).word(1);
    }

    /**
     * Returns the headers of the authentication response that are sent to the backend under the same name: {@code
     * auth_request_set $user $upstream_http_x_user} with {@code proxy_set_header X-User $user}.
     */
    private List<String> copiedHeaders(NginxScope scope, Set<Directive> copied) {
        Set<String> headers = new LinkedHashSet<>();
        for (Directive set : scope.all("auth_request_set")) {
            if (!set.word(2).startsWith(ANSWER_HEADER)) {
                report.addUnsupported(
                        set, "copy_headers can copy only headers of the authentication server's response");
                continue;
            }
            String answered = set.word(2).substring(ANSWER_HEADER.length()).replace('_', '-');
            List<Directive> users = scope.all("proxy_set_header").stream()
                    .filter(header -> header.word(2).equals(set.word(1)))
                    .toList();
            boolean isSame = !users.isEmpty()
                    && users.stream()
                            .allMatch(header ->
                                    header.word(1).toLowerCase(Locale.ROOT).equals(answered));
            if (isSame) {
                users.forEach(header -> {
                    headers.add(header.word(1));
                    copied.add(header);
                    report.addSame(header);
                });
                report.addSame(set);
            } else {
                report.addUnsupported(
                        set, "copy_headers cannot rename a header; the backend must read the header " + answered);
            }
        }
        return List.copyOf(headers);
    }
}
