package io.ballast.replication.certificate;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.coordination.CoordinatedOrders;
import io.ballast.acme.coordination.OrderCoordinator;
import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.cluster.observation.ObservationListener;
import io.ballast.cluster.secret.SecretCipher;
import io.ballast.config.BallastConfig;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates ordered by ACME as facts, encrypted with the key of the cluster. The leader orders for all nodes; every
 * node serves the certificates and the responses to challenges.
 *
 * <pre>
 *   acme/certificates/ISSUER/NAME   a key and its certificate chain, or the serial number of a revoked certificate
 *   acme/accounts/ISSUER            the key of the account
 *   acme/challenges/NAME            a response to a challenge, while an order runs
 *   acme/wanted/NAME                a certificate on demand that a node requests from the leader
 * </pre>
 *
 * <p>The files of a node are copies. All changes are proposals, which are committed or have no effect. Without a
 * connection to a majority, nothing is ordered, and the last certificates stay in use.
 *
 * <p>Bounds: {@value CertificateCopies#MAX_CERTIFICATES} certificates, {@value SharedChallenges#MAX_CHALLENGES}
 * challenges, {@value RequestedNames#MAX_REQUESTS} requests, and {@value #MAX_BYTES} bytes.
 *
 * <p>Thread safety: any thread may call any method. The state is confined to one background thread.
 */
public final class CertificateFacts implements FactFamily, OrderCoordinator, AutoCloseable {

    static final String PREFIX = "acme/";

    /** The number of checks after which a new leader orders: it lets other nodes propose their certificates first. */
    static final int PATIENCE = 3;

    static final Duration CHECK = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(CertificateFacts.class);
    private static final int HEX = 16;
    private static final int MAX_BYTES = 32 << 20;
    private static final FactBound BOUND = new FactBound(
            CertificateCopies.MAX_CERTIFICATES + SharedChallenges.MAX_CHALLENGES + RequestedNames.MAX_REQUESTS + 100,
            MAX_BYTES);
    private static final Duration MAX_CHALLENGE_WAIT = Duration.ofSeconds(3);

    private final ChallengeRows rows = new ChallengeRows();
    private final ControlPlane control;
    private final Supplier<BallastConfig> running;
    private final Executor thread;
    private final AutoCloseable threadEnd;
    private final SealedFacts facts;
    private final SharedChallenges challenges;
    private final RequestedNames requests;
    private final AccountCopies accounts;
    private final CertificateCopies certificates;
    private volatile @Nullable CoordinatedOrders orders;
    private @Nullable CurrentNames current;
    private int leaderChecks;
    private volatile boolean isSettled;
    private volatile boolean isClosed;

    /** The names of a configuration, which are computed once for each configuration. */
    private record CurrentNames(BallastConfig config, OrderedNames names) {}

    /**
     * @param running returns the active configuration
     * @param dataDir the directory in which certificates have their files
     */
    public CertificateFacts(ControlPlane control, SecretCipher cipher, Supplier<BallastConfig> running, Path dataDir) {
        this(control, cipher, running, dataDir, Background.of("cluster-certificates", /* max= */ 1));
    }

    private CertificateFacts(
            ControlPlane control,
            SecretCipher cipher,
            Supplier<BallastConfig> running,
            Path dataDir,
            Background thread) {
        this(control, cipher, running, dataDir, thread, thread, MAX_CHALLENGE_WAIT);
    }

    /**
     * @param thread runs all tasks, one at a time
     * @param threadEnd ends the thread
     * @param maxChallengeWait the longest wait until all nodes serve a response to a challenge
     */
    CertificateFacts(
            ControlPlane control,
            SecretCipher cipher,
            Supplier<BallastConfig> running,
            Path dataDir,
            Executor thread,
            AutoCloseable threadEnd,
            Duration maxChallengeWait) {
        this.control = control;
        this.running = running;
        this.thread = thread;
        this.threadEnd = threadEnd;
        this.facts = new SealedFacts(cipher);
        CopyReports reports = new CopyReports(control);
        this.challenges = new SharedChallenges(control, thread, facts, rows, maxChallengeWait);
        this.requests = new RequestedNames(control, thread, facts, this::mayOrder, this::orders);
        this.accounts = new AccountCopies(control, thread, facts, dataDir, reports);
        this.certificates = new CertificateCopies(
                control, thread, facts, dataDir, reports, this::names, name -> orders().filesChanged(name));
    }

    /** Sets the object that orders certificates on this node. Called once, before this node joins the cluster. */
    public void share(CoordinatedOrders target) {
        orders = target;
    }

    /**
     * Returns the responder that serves a response on all nodes. Called once, before this node joins the cluster.
     *
     * @param local serves responses on this node
     */
    public ChallengeResponder responder(ChallengeResponder local) {
        challenges.serveOn(local);
        return challenges;
    }

    /** Reads which responses the other nodes serve. */
    public ObservationListener rows() {
        return rows;
    }

    /** Sets the board that carries the row of this node. */
    public void publishOn(ObservationBoard board) {
        publishOn(board::put);
    }

    void publishOn(BiConsumer<String, byte[]> board) {
        rows.connect(board);
    }

    // ---- orders of this node

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public boolean mayOrder() {
        return isSettled && facts.store().isLeader();
    }

    /** The name of the node that orders; empty without a connection to a majority of the voters. */
    public Optional<String> orderingNode() {
        return facts.store().leader();
    }

    @Override
    public String refusal() {
        if (facts.store().isLeader()) {
            return "this node is the leader of its cluster, but does not order certificates yet (try again in some"
                    + " seconds, or look for cluster=certificate_not_shared in the log)";
        }
        return orderingNode()
                .map(node -> "certificates are ordered by node " + node + "; send the request to it")
                .orElse("this node has no connection to a majority of the voters of its cluster, so certificates are"
                        + " neither ordered nor revoked (see 'lb cluster status')");
    }

    @Override
    public void stored(String name, String issuer) {
        thread.execute(() -> certificates.stored(name, issuer));
    }

    @Override
    public void request(String name, Optional<X509Certificate> replaced) {
        Optional<String> serial = replaced.map(each -> each.getSerialNumber().toString(HEX));
        thread.execute(() -> requests.request(name, serial));
    }

    private CoordinatedOrders orders() {
        CoordinatedOrders present = orders;
        if (present == null) {
            throw new IllegalStateException("share was not called");
        }
        return present;
    }

    // ---- facts

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public FactBound bound() {
        return BOUND;
    }

    @Override
    public void connect(FactStore source) {
        facts.connect(source);
    }

    void connect(SealedFacts.Store source) {
        facts.connect(source);
    }

    @Override
    public void committed(String key, Optional<Fact> fact) {
        if (key.startsWith(CertificateCopies.PREFIX)) {
            thread.execute(() -> certificates.receive(key, fact));
        } else if (key.startsWith(AccountCopies.PREFIX)) {
            thread.execute(() -> accounts.receive(key.substring(AccountCopies.PREFIX.length()), fact));
        } else if (key.startsWith(SharedChallenges.PREFIX)) {
            thread.execute(() -> challenges.receive(key, fact));
        } else if (key.startsWith(RequestedNames.PREFIX)) {
            thread.execute(() -> requests.receive(key, fact));
        }
    }

    @Override
    public void ready(boolean isNew) {
        thread.execute(this::check);
    }

    private void check() {
        if (isClosed) {
            return;
        }
        try {
            checkNow();
        } finally {
            control.schedule(() -> thread.execute(this::check), CHECK);
        }
    }

    private void checkNow() {
        OrderedNames names = names();
        leaderChecks = facts.store().isLeader() ? leaderChecks + 1 : 0;
        boolean isPatient = leaderChecks > PATIENCE;
        boolean hasAccounts = names.acme().isPresent();
        for (AcmeIssuer issuer : names.issuers()) {
            hasAccounts &= accounts.check(issuer, /* mayCreate= */ isPatient);
        }
        certificates.checkNext();
        challenges.removeEnded();
        boolean isReady = hasAccounts && isPatient && certificates.turns() > 0;
        if (isReady && !isSettled) {
            LOG.info("cluster=orders_certificates");
        }
        isSettled = isReady;
        requests.orderRequested();
    }

    @SuppressWarnings("ReferenceEquality") // a changed configuration is a new object
    private OrderedNames names() {
        BallastConfig now = running.get();
        CurrentNames present = current;
        if (present == null || present.config() != now) {
            present = new CurrentNames(now, OrderedNames.of(now));
            current = present;
        }
        return present.names();
    }

    /** Does nothing, because proposals are never pending. */
    @Override
    public void restored(PendingChange change) {}

    /** Does nothing, because proposals are never rejected. */
    @Override
    public void rejected(PendingChange change, String reason) {}

    @Override
    public void close() {
        isClosed = true;
        isSettled = false;
        try {
            threadEnd.close();
        } catch (Exception e) {
            LOG.debug("cannot end the thread", e);
        }
    }
}
