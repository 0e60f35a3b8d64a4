;; SPDX-License-Identifier: GPL-2.0-or-later
;;
;; librasim for guix, from this tree:
;;
;;   guix build -f contrib/packaging/guix.scm
;;   guix shell -f contrib/packaging/guix.scm -- librasim --version
(use-modules (guix packages)
             (guix gexp)
             (guix git-download)
             (guix build-system gnu)
             ((guix licenses) #:prefix license:)
             (gnu packages autotools)
             (gnu packages check)
             (gnu packages compression)
             (gnu packages crypto)
             (gnu packages maths)
             (gnu packages pkg-config)
             (gnu packages textutils)
             (gnu packages web))

(define top (string-append (dirname (current-filename)) "/../.."))

(package
  (name "librasim")
  (version "0.3.0")
  (source (local-file top "slurm-libra"
                      #:recursive? #t
                      #:select? (git-predicate top)))
  (build-system gnu-build-system)
  ;; The other tests look for a system's folders.
  (arguments
   (list #:configure-flags '(list "--without-slurm")
         #:make-flags '(list "TESTS=$(unit_programs)")))
  (native-inputs (list autoconf automake cmocka libtool pkg-config))
  (inputs (list gsl jansson libconfuse libdeflate libmd zlib
                (list zstd "lib")))
  (propagated-inputs (list gnuplot))
  (home-page #f)
  (synopsis "Simulator of deadline admission control for Slurm")
  (description
   "librasim drives the policies of slurm-libra with logs in the Standard
Workload Format, reproduces the papers they come from, and replays the decision
log of a slurmctld.")
  (license license:gpl3+))
