/** The page's files, held in memory: {@link io.ballast.dashboard.web.Assets}. */
@NullMarked
package io.ballast.dashboard.web;

import org.jspecify.annotations.NullMarked;
