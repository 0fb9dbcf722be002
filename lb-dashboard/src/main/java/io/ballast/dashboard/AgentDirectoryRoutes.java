package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.dashboard.document.AgentJson;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.AgentDirectory;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Lists, approves and revokes agents; lists, creates and revokes their tokens. */
final class AgentDirectoryRoutes {

    private static final String AGENTS = "/api/v1/agents";
    private static final String AGENT = AGENTS + "/{agent}";
    private static final String TOKENS = "/api/v1/agent-tokens";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final int MAX_OFFSET = 1_000_000;

    private final Supplier<Optional<AgentDirectory>> directory;
    private final InstantSource clock;
    private final AsyncResponses replies;

    AgentDirectoryRoutes(Supplier<Optional<AgentDirectory>> directory, InstantSource clock, AsyncResponses replies) {
        this.directory = directory;
        this.clock = clock;
        this.replies = replies;
    }

    void addTo(Router router) {
        router.get(AGENTS, this::list);
        router.get(AGENT, this::show);
        router.command(AGENT + "/approve", this::approve);
        router.command(AGENT + "/revoke", this::revoke);
        router.get(TOKENS, this::tokens);
        router.command(TOKENS + "/{token}", this::createToken);
        router.command(TOKENS + "/{token}/revoke", this::revokeToken);
    }

    private AgentDirectory require() {
        return directory
                .get()
                .orElseThrow(() -> HttpProblem.notFound(
                        "agents cannot report to this process (expected: the key agents in the configuration)"));
    }

    private AdminResponse list(Request request) {
        int offset = QueryParameters.number(request, "offset", 0, 0, MAX_OFFSET);
        int limit = QueryParameters.number(request, "limit", DEFAULT_LIMIT, 0, MAX_LIMIT);
        return replies.respondWhenComplete(
                require().agents(), request, all -> AdminResponse.json(page(all, offset, limit)));
    }

    private ByteBuf page(List<AgentDirectory.Agent> all, int offset, int limit) {
        return AgentJson.page(all.stream().skip(offset).limit(limit).toList(), all.size(), clock.instant());
    }

    private AdminResponse show(Request request) {
        String id = request.parameter("agent");
        return replies.respondWhenComplete(
                require().agents(),
                request,
                all -> reply(
                        request,
                        all.stream().filter(agent -> agent.id().equals(id)).findFirst()));
    }

    private AdminResponse approve(Request request) {
        return AsyncResponses.runOrBadRequest(() -> replies.respondWhenComplete(
                require().approve(request.parameter("agent"), author(request)),
                request,
                agent -> replyToChange(request, agent)));
    }

    private AdminResponse revoke(Request request) {
        return AsyncResponses.runOrBadRequest(() -> replies.respondWhenComplete(
                require().revoke(request.parameter("agent"), author(request)),
                request,
                agent -> replyToChange(request, agent)));
    }

    private AdminResponse.Complete reply(Request request, Optional<AgentDirectory.Agent> agent) {
        AgentDirectory.Agent found =
                agent.orElseThrow(() -> HttpProblem.notFound("there is no agent " + request.parameter("agent")));
        return AdminResponse.json(AgentJson.of(found, clock.instant()));
    }

    /** Like {@link #reply}, for a change. The status is 202 if the cluster has not committed the change yet. */
    private AdminResponse.Complete replyToChange(Request request, Optional<AgentDirectory.Agent> agent) {
        AdminResponse.Complete reply = reply(request, agent);
        return agent.filter(found -> !found.isCommitted()).isPresent()
                ? reply.withStatus(HttpResponseStatus.ACCEPTED)
                : reply;
    }

    private AdminResponse tokens(Request request) {
        return replies.respondWhenComplete(
                require().tokens(), request, all -> AdminResponse.json(AgentJson.tokens(all)));
    }

    private AdminResponse revokeToken(Request request) {
        return AsyncResponses.runOrBadRequest(() -> replies.respondWhenComplete(
                require().revokeToken(request.parameter("token"), author(request)),
                request,
                token -> tokenReply(request, token)));
    }

    private AdminResponse createToken(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            NewTokenParameters parameters = NewTokenParameters.of(request);
            return replies.respondWhenComplete(
                    require()
                            .createToken(
                                    NewTokenParameters.name(request),
                                    parameters.hash().hex(),
                                    parameters.pools(),
                                    parameters.expires(),
                                    OverrideParameters.who(request)),
                    request,
                    token -> tokenReply(request, token));
        });
    }

    private static AdminResponse.Complete tokenReply(Request request, Optional<AgentDirectory.Token> token) {
        AgentDirectory.Token found =
                token.orElseThrow(() -> HttpProblem.notFound("no pool has a token " + request.parameter("token")));
        AdminResponse.Complete reply = AdminResponse.json(AgentJson.of(found));
        return found.isCommitted() ? reply : reply.withStatus(HttpResponseStatus.ACCEPTED);
    }

    private static String author(Request request) {
        request.query()
                .keySet()
                .forEach(given -> Checks.that(Set.of("who").contains(given), "parameter", given, "who"));
        return OverrideParameters.who(request);
    }
}
