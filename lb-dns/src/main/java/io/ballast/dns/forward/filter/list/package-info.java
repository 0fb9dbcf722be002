/**
 * Sources of filter lists: files, URLs and the configuration itself. {@link
 * io.ballast.dns.forward.filter.list.FilterLists} reads the lists, watches them for changes and publishes a
 * table after each change. {@link io.ballast.dns.forward.filter.list.ListState} describes each list. Slow
 * work runs in the background.
 */
@NullMarked
package io.ballast.dns.forward.filter.list;

import org.jspecify.annotations.NullMarked;
