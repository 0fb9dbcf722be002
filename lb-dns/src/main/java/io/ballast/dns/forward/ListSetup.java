package io.ballast.dns.forward;

import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * What lists of rules need beside their configuration.
 *
 * @param control on which lists change
 * @param background on which they are read and compiled, which may take a minute
 * @param fetching on which servers are waited for that have lists, which may be slow or never come to an end
 * @param cache a directory of its own for what was fetched
 */
public record ListSetup(ControlPlane control, Executor background, Executor fetching, Path cache) {}
