# What a person would type. Each sets up .venv with what it needs.

JOBS = bash tests/jobs.sh

.PHONY: demo test check bench asan fuzz hostile wheel clean

demo: ; $(JOBS) demo
test: ; $(JOBS) test
check: ; $(JOBS) check
bench: ; $(JOBS) bench
asan: ; $(JOBS) asan
fuzz: ; $(JOBS) fuzz
hostile: ; $(JOBS) hostile
wheel: ; $(JOBS) wheel
clean: ; $(JOBS) clean
