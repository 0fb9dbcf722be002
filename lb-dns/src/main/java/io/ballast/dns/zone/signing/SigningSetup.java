package io.ballast.dns.zone.signing;

import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * What signed zones need beside their configuration.
 *
 * @param dataDir where their keys are kept
 * @param control its clock tells from when to when signatures hold
 * @param signer looks after keys and signs whole zones anew, which may take minutes; one task after the other
 */
public record SigningSetup(Path dataDir, ControlPlane control, Executor signer) {}
