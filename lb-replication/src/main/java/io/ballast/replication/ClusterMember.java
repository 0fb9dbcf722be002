package io.ballast.replication;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.cluster.fact.ChangeWatch;
import io.ballast.cluster.fact.FactFamilies;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.cluster.fact.SharedFacts;
import io.ballast.cluster.identity.IdentityFiles;
import io.ballast.cluster.log.FactLogConfig;
import io.ballast.cluster.log.FactLogException;
import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.mesh.MeshConfig;
import io.ballast.cluster.mesh.MeshException;
import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.cluster.observation.ObservationCounters;
import io.ballast.cluster.observation.ObservationListener;
import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.vote.Quorum;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.HealthMonitor;
import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.source.ClusterSums;
import io.ballast.dashboard.source.NodeSum;
import io.ballast.replication.certificate.CertificateFacts;
import io.ballast.replication.configuration.ClusterConfiguration;
import io.ballast.replication.limit.ClusterLimits;
import io.ballast.replication.limit.LimitCounters;
import io.ballast.replication.peer.PeerFinder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process as a member of its cluster. Thread-safe. */
final class ClusterMember implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);
    private static final int CERTIFICATE_SECONDS = 60;
    private static final int SUMS_SECONDS = 5;

    private final ClusterConfig config;
    private final FactFamilies families;
    private final SharedFacts facts;
    private final ClusterVotes votes;
    private final Mesh mesh;
    private final HealthMonitor health;
    private final ClusterConfiguration configuration;
    private final PeerFinder peers;
    private final NodeRows rows;
    private final IdentityFiles identity;
    private final ClusterNodesState nodes;
    private final ScheduledExecutorService chores = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "cluster-chores");
        created.setDaemon(true);
        return created;
    });

    /**
     * The state of this node that all nodes share, in addition to facts and votes.
     *
     * @param sums reads the counters of this node
     * @param certificates the certificates that the nodes share, if they have a key for them
     * @param isWitness whether this node serves no clients
     */
    record ClusterNodesState(
            ForgottenNodes forgotten,
            ClusterLimits limits,
            Supplier<NodeSum> sums,
            Optional<CertificateFacts> certificates,
            boolean isWitness) {}

    private ClusterMember(
            ClusterConfig config,
            FactFamilies families,
            SharedFacts facts,
            ClusterVotes votes,
            Mesh mesh,
            HealthMonitor health,
            NodeRows rows,
            IdentityFiles identity,
            ClusterNodesState nodes,
            ClusterConfiguration configuration) {
        this.rows = rows;
        this.identity = identity;
        this.nodes = nodes;
        this.config = config;
        this.families = families;
        this.facts = facts;
        this.votes = votes;
        this.health = health;
        this.mesh = mesh;
        this.configuration = configuration;
        this.peers = PeerFinder.of(config, mesh::dial);
    }

    /**
     * Restores the facts, and connects to the other nodes.
     *
     * @param directory the directory of the facts, which only this process uses
     * @param families the kinds of facts that this node uses
     * @param health the health monitor, which shares its results with the other nodes
     * @param defaultQuorum returns the quorum of a pool whose configuration has none
     * @param nodes the nodes that will not return, and the limits that all nodes share
     * @param configuration the shared configuration, whose facts are one of the families
     * @throws IOException if a file or the address cannot be used; the message names it
     */
    static ClusterMember start(
            ClusterConfig config,
            Path directory,
            ControlPlane control,
            List<FactFamily> families,
            HealthMonitor health,
            Function<String, Quorum> defaultQuorum,
            ClusterNodesState nodes,
            ClusterConfiguration configuration)
            throws IOException {
        IdentityFiles identity = new IdentityFiles(config.tls());
        HostPort bind = config.bind();
        FactFamilies known = new FactFamilies(families);
        SharedFacts facts = new SharedFacts(
                new FactLogConfig(identity.name(), config.voters(), directory, !nodes.isWitness()),
                control.clock(),
                known);
        known.connect(facts);
        NodeRows rows = new NodeRows();
        ClusterVotes votes = new ClusterVotes(identity.name(), defaultQuorum, listener -> {
            List<ObservationListener> all = new ArrayList<>(List.of(listener, rows, configuration.rows()));
            nodes.certificates().map(CertificateFacts::rows).ifPresent(all::add);
            return new ObservationBoard(new ObservationListeners(all));
        });
        nodes.certificates().ifPresent(shared -> shared.publishOn(votes.board()));
        configuration.start(identity.name(), votes.board());
        NodeEvents events = new NodeEvents(config.name(), control);
        ForgottenNodes forgotten = nodes.forgotten();
        facts.log().onLeader(leader -> {
            events.leaderChanged(leader);
            forgotten.maintain();
        });
        forgotten.listen((all, added) -> {
            facts.log().forget(all);
            added.ifPresent(nodes.limits()::forget);
        });
        Mesh mesh = new Mesh(
                new MeshConfig(
                        config.name(),
                        identity.name(),
                        new InetSocketAddress(bind.host(), bind.port()),
                        List.of(),
                        identity),
                control.clock().millis(),
                List.of(facts.log(), votes.board(), events, forgotten, nodes.limits()));
        ClusterMember member =
                new ClusterMember(config, known, facts, votes, mesh, health, rows, identity, nodes, configuration);
        try {
            facts.start(mesh);
            votes.board().start(mesh);
            nodes.limits().start(identity.name(), mesh::send);
            mesh.start();
        } catch (FactLogException | MeshException e) {
            member.close();
            throw new IOException("cluster: " + ErrorText.of(e), e);
        }
        health.join(votes);
        member.peers.start();
        NodeCertificateWatch certificate = new NodeCertificateWatch(
                identity.name(),
                identity::expires,
                end -> votes.board().put(NodeRows.CERTIFICATE, NodeRows.encode(end)),
                control);
        member.chores.scheduleWithFixedDelay(() -> run(certificate::check), 0, CERTIFICATE_SECONDS, TimeUnit.SECONDS);
        SumPublisher sums = new SumPublisher(votes.board(), nodes.sums());
        member.chores.scheduleWithFixedDelay(() -> run(sums::publish), 1, SUMS_SECONDS, TimeUnit.SECONDS);
        return member;
    }

    /** The counters of all connected nodes. */
    ClusterSums sums() {
        SortedMap<String, NodeSum> all = rows.sums();
        all.put(name(), nodes.sums().get());
        Set<String> missing = new TreeSet<>(nodes.forgotten().absent(name()));
        mesh.connected().keySet().stream()
                .map(ClusterNode::node)
                .filter(node -> !all.containsKey(node))
                .forEach(missing::add);
        return new ClusterSums(name(), all, List.copyOf(missing));
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("cluster=chore_failed", e);
        }
    }

    /** The name of this node. */
    String name() {
        return identity.name();
    }

    /** Like {@link SharedFacts#watch}. */
    ChangeWatch watch(Predicate<String> keys) {
        return facts.watch(keys);
    }

    /** The keys of the facts whose changes are not committed. */
    Set<String> pendingKeys() {
        return facts.pending().stream().map(PendingChange::key).collect(Collectors.toSet());
    }

    ClusterStats stats() {
        List<ClusterStats.Node> nodes = new ArrayList<>();
        nodes.add(node(mesh.self(), 0));
        mesh.connected().forEach((peer, roundTrip) -> nodes.add(node(peer, roundTrip)));
        nodes.sort(Comparator.comparing(ClusterStats.Node::name));
        return new ClusterStats(
                config.name(),
                mesh.self().node(),
                Optional.ofNullable(facts.log().leader()),
                this.nodes.forgotten().presentVoters(),
                nodes,
                facts.log().applied(),
                facts.size(),
                families.unknown(facts),
                facts.pending().stream()
                        .map(change -> new ClusterStats.Pending(change.key(), change.since()))
                        .toList(),
                facts.rejected(),
                mesh.counters().refused(),
                mesh.counters().failedHandshakes(),
                mesh.counters().dropped(),
                observations(),
                new ClusterStats.Votes(
                        votes.size(),
                        health.voteCounters().overruled(),
                        health.voteCounters().overrulings(),
                        health.voteCounters().unchecked()),
                configuration.stats(),
                limits());
    }

    private ClusterStats.LimitMessages limits() {
        LimitCounters counters = nodes.limits().counters();
        return new ClusterStats.LimitMessages(counters.sentBytes(), counters.receivedBytes(), counters.lost());
    }

    private ClusterStats.Observations observations() {
        ObservationBoard board = votes.board();
        ObservationCounters counters = board.counters();
        return new ClusterStats.Observations(
                board.ownRows(),
                board.otherRows(),
                counters.sent(),
                counters.received(),
                counters.lost(),
                counters.refused());
    }

    private ClusterStats.Node node(ClusterNode node, long roundTripNanos) {
        InetSocketAddress address = node.address();
        return new ClusterStats.Node(
                node.node(),
                new HostPort(address.getAddress().getHostAddress(), address.getPort()).toString(),
                Instant.ofEpochMilli(node.incarnation()),
                config.voters().contains(node.node()),
                roundTripNanos,
                node.equals(mesh.self()) ? Optional.of(identity.expires()) : rows.certificateEnd(node.node()));
    }

    @Override
    public void close() {
        chores.shutdownNow();
        peers.close();
        facts.close();
        mesh.close();
        votes.close();
    }
}
