package io.ballast.dns.zone;

import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;

/**
 * What signed zones need beside their configuration.
 *
 * @param dataDir where their keys are kept
 * @param control looks after keys and signatures; its clock tells from when to when they hold
 */
public record SigningSetup(Path dataDir, ControlPlane control) {}
