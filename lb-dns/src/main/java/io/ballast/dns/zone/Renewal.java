package io.ballast.dns.zone;

import io.ballast.core.control.ControlPlane;
import io.ballast.dns.zone.signing.SignedZones;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.dns.zone.signing.ZoneSigners;
import io.ballast.dns.zone.tree.NameTree;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Looks after keys and the age of signatures: every {@link #INTERVAL} beside the control plane, and when either asks for it,
 * signs all zones anew and hands over what came of it.
 *
 * <p>Thread safety: started by one thread, closed by any; the work is done by the signer.
 */
final class Renewal {

    static final Duration INTERVAL = Duration.ofSeconds(2);

    private final ControlPlane control;
    private final Executor signer;
    private final SignedZones zones;
    private final ZoneSigners signers;
    private final NameTree tree;
    private final Consumer<FixedAnswers> adopt;
    private volatile boolean closed;

    /** @param adopt takes over what was signed; called by the signer */
    Renewal(SigningSetup setup, SignedZones zones, ZoneSigners signers, NameTree tree, Consumer<FixedAnswers> adopt) {
        this.control = setup.control();
        this.signer = setup.signer();
        this.zones = zones;
        this.signers = signers;
        this.tree = tree;
        this.adopt = adopt;
    }

    /** Begins to look; everything was signed before. */
    void start() {
        next();
    }

    private void next() {
        control.schedule(() -> signer.execute(this::look), INTERVAL);
    }

    private void look() {
        if (closed) {
            return;
        }
        try {
            if (zones.isDue()) {
                adopt.accept(FixedAnswers.compile(tree, signers, zones));
                zones.renewed();
            }
        } finally {
            next();
        }
    }

    void close() {
        closed = true;
    }
}
