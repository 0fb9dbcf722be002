package io.ballast.dns.zone.signing;

import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * The resources that signed zones need.
 *
 * @param dataDir the directory in which keys are stored
 * @param control the control plane, whose clock determines the validity of signatures
 * @param signer executor that manages keys and signs whole zones, which may take minutes; one task after the other
 * @param sharesKeys whether the nodes of a cluster share the keys, so that this process generates no keys
 */
public record SigningSetup(Path dataDir, ControlPlane control, Executor signer, boolean sharesKeys) {

    /** Creates the resources of a process that generates its own keys. */
    public SigningSetup(Path dataDir, ControlPlane control, Executor signer) {
        this(dataDir, control, signer, /* sharesKeys= */ false);
    }
}
