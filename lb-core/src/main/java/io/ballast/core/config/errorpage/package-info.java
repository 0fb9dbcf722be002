/**
 * The configuration of error pages: which file is sent for which status, and which error responses of backends are
 * replaced. The files are read with the configuration, so that requests never wait for a disk.
 */
@NullMarked
package io.ballast.core.config.errorpage;

import org.jspecify.annotations.NullMarked;
