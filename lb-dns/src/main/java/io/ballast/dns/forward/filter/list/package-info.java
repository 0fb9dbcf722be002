/**
 * Where filter lists come from: files, URLs and the configuration itself. {@link
 * io.ballast.dns.forward.filter.list.FilterLists} reads them, follows their changes and publishes a table whenever one has
 * changed; {@link io.ballast.dns.forward.filter.list.ListState} tells how each fares. All that takes time runs beside the
 * control plane.
 */
@NullMarked
package io.ballast.dns.forward.filter.list;

import org.jspecify.annotations.NullMarked;
